import { Button, Checkbox, Textarea, Tooltip } from "@mantine/core";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { IconAlertTriangle, IconFileX, IconFileZip, IconTrash } from "@tabler/icons-react";
import { type ChangeEvent, type Dispatch, type DragEvent, type SetStateAction, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { reasonsOf } from "../api/report-failure.tsx";
import { formatNumber, formatSize } from "../language/i18n.ts";
import { useServerConfiguration } from "../session/use-session.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { shortened } from "../ui/shortened.ts";
import { type ChosenFile, hasAllowedName, readChosen } from "./chosen-file.ts";

let nextId = 1;

interface ChooseFilesProps {
  repository: RepositoryItem;
  files: readonly ChosenFile[];
  onChange: Dispatch<SetStateAction<readonly ChosenFile[]>>;
  onBack(): void;
  onSend(): void;
}

export function ChooseFiles({ repository, files, onChange, onBack, onSend }: ChooseFilesProps) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  const allowed = repository.allowedFiles;

  const update = (id: number, change: Partial<ChosenFile>) =>
    onChange((old) => old.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const add = (added: readonly File[]) => {
    const chosen = added.map(
      (file): ChosenFile => ({
        id: nextId++,
        file,
        wrongType: !hasAllowedName(file.name, allowed),
        reading: { kind: "reading" },
        replace: false,
        notes: "",
      }),
    );
    onChange((old) => [...chosen, ...old]);
    for (const { id, file, wrongType } of chosen) {
      // What the browser cannot read the server will judge; it must not stop anybody here.
      if (!wrongType)
        void readChosen(file, repository.technology, repository.name).then(
          (reading) => update(id, { reading }),
          () => update(id, { reading: { kind: "package", name: file.name, version: "", present: false } }),
        );
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
  };
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.currentTarget.files ?? [])]);
    event.currentTarget.value = ""; // the same file can be chosen again
  };

  const faulty = files.some((one) => one.wrongType || one.reading.kind === "broken");
  const reason = files.length === 0 ? t("upload.needFiles") : faulty ? t("reason.formInvalid") : undefined;
  return (
    <div className="ph-stack">
      <label
        className="ph-drop"
        data-over={over || undefined}
        data-testid="dropzone"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          type="file"
          multiple
          className="ph-visually-hidden"
          accept={allowed.map(({ extension }) => (extension === ".tar.gz" ? ".gz" : extension)).join(",")}
          onChange={pick}
        />
        {over ? t("upload.letGo") : t("upload.drop")}
        <div className="ph-mono" style={{ fontSize: "0.78rem", marginTop: 4 }}>
          {allowed.map(({ extension }) => extension).join("  ")}
        </div>
      </label>

      <div className="ph-table-frame">
        <table className="ph-table">
          <caption>{t("upload.addFiles", { technology: repository.technology })}</caption>
          <thead>
            <tr>
              <th scope="col" style={{ width: "34%" }}>
                {t("upload.file")}
              </th>
              <th scope="col">{t("upload.contents")}</th>
              <th scope="col" style={{ width: "26%" }}>
                {t("upload.notes")}
              </th>
              <th scope="col" style={{ width: 120 }}>
                {t("upload.replace")}
              </th>
              <th scope="col" style={{ width: 60 }}>
                <span className="ph-visually-hidden">{t("column.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {files.map((one, index) => (
              <FileRow
                key={one.id}
                one={one}
                index={index}
                allowed={allowed}
                onChange={(change) => update(one.id, change)}
                onRemove={() => onChange((old) => old.filter(({ id }) => id !== one.id))}
              />
            ))}
          </tbody>
        </table>
        {files.length === 0 && <div className="ph-empty">{t("upload.needFiles")}</div>}
      </div>

      <div className="ph-buttons">
        {files.length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => onChange([])} style={{ marginRight: "auto" }}>
            {t("upload.clear")}
          </Button>
        )}
        <Button variant="default" onClick={onBack} data-testid="wizard-back">
          {t("action.back")}
        </Button>
        <Tooltip label={reason} disabled={!reason}>
          <Button onClick={onSend} disabled={reason !== undefined} data-testid="wizard-submit">
            {t("upload.send", { count: files.length, formatted: formatNumber(files.length) })}
          </Button>
        </Tooltip>
      </div>
    </div>
  );
}

interface FileRowProps {
  one: ChosenFile;
  index: number;
  allowed: RepositoryItem["allowedFiles"];
  onChange(change: Partial<ChosenFile>): void;
  onRemove(): void;
}

function FileRow({ one, index, allowed, onChange, onRemove }: FileRowProps) {
  const { t } = useTranslation();
  const server = useServerConfiguration();
  const replacingOff = server?.replacingPackagesEnabled === false;
  const onlyTarGz = allowed.length === 1 && allowed[0]?.extension === ".tar.gz";
  const wrongType = onlyTarGz
    ? t("upload.wrongExtension")
    : t("upload.wrongExtensionList", { list: allowed.map(({ extension }) => extension).join(", ") });
  return (
    <tr data-row data-testid={`file-${index}`}>
      <th scope="row">
        <span style={{ display: "flex", gap: 8, alignItems: "center", minWidth: 0 }}>
          {one.wrongType ? (
            <IconFileX size={18} className="ph-bad" aria-hidden />
          ) : (
            <IconFileZip size={18} className="ph-muted" aria-hidden />
          )}
          <span style={{ minWidth: 0 }}>
            <span className="ph-mono" style={{ overflowWrap: "anywhere" }}>
              {shortened(one.file.name)}
            </span>
            <span className="ph-second" style={{ display: "block" }}>
              {formatSize(one.file.size)}
            </span>
          </span>
        </span>
      </th>
      <td data-label={t("upload.contents")} style={{ whiteSpace: "normal" }}>
        {one.wrongType ? <span className="ph-bad">{wrongType}</span> : <ReadingCell one={one} />}
      </td>
      <td data-label={t("upload.notes")}>
        <Textarea
          size="xs"
          autosize
          minRows={1}
          maxRows={4}
          aria-label={`${t("upload.notes")} ${one.file.name}`}
          value={one.notes}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
          data-testid={`file-${index}-notes`}
        />
      </td>
      <td data-label={t("upload.replace")}>
        <Tooltip label={replacingOff ? t("reason.replacingOff") : t("upload.replaceHint")}>
          <Checkbox
            aria-label={`${t("upload.replace")} ${one.file.name}`}
            checked={one.replace}
            disabled={replacingOff}
            onChange={(event) => onChange({ replace: event.currentTarget.checked })}
            data-testid={`file-${index}-replace`}
          />
        </Tooltip>
      </td>
      <td className="ph-bare">
        <IconButton
          icon={IconTrash}
          danger
          label={`${t("action.remove")} ${one.file.name}`}
          hint={t("action.remove")}
          testId={`file-${index}-remove`}
          onPress={onRemove}
        />
      </td>
    </tr>
  );
}

/** What was found in the file; what is there already is said before anything is sent. */
function ReadingCell({ one }: { one: ChosenFile }) {
  const { t } = useTranslation();
  const { reading } = one;
  if (reading.kind === "reading") return <span className="ph-muted">{t("upload.reading")} …</span>;
  if (reading.kind === "broken")
    return <span className="ph-bad">{reasonsOf(new ApiFailure(422, null, "", [...reading.codes])).join("; ")}</span>;
  return (
    <>
      <span className="ph-mono ph-strong">{reading.name}</span> <span className="ph-version">{reading.version}</span>
      {reading.present && !one.replace && (
        <span className="ph-warn" style={{ display: "flex", gap: 4, alignItems: "center", fontSize: "0.78rem" }}>
          <IconAlertTriangle size={14} aria-hidden /> {t("upload.present")}
        </span>
      )}
    </>
  );
}

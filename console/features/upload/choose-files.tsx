import { Button, Menu } from "@mantine/core";
import type { RConfiguration } from "@packhouse/contract/configuration";
import { readRConfiguration } from "@packhouse/contract/operations/configuration";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { formatOf } from "@packhouse/formats/format";
import type { BinaryTarget } from "@packhouse/formats/r/binary-target";
import { IconAdjustments } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type Dispatch, type DragEvent, type SetStateAction, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { formatNumber, formatSize } from "../../language/i18n.ts";
import bulkBarStyles from "../../list/screen/bulk-bar.module.css";
import { useServerConfiguration } from "../../session/use-session.ts";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { PopupMenu } from "../../ui/popups/popup-menu.tsx";
import { usePopup } from "../../ui/popups/use-popup.ts";
import detailsStyles from "../../ui/styles/details.module.css";
import emptyStyles from "../../ui/styles/empty.module.css";
import formStyles from "../../ui/styles/form.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { toast } from "../../ui/toasts.tsx";
import styles from "./choose-files.module.css";
import { allowedFilesOf, type ChosenFile, hasAllowedName, isComplete, obstacleOf, readChosen } from "./chosen-file.ts";
import { FileRow } from "./file-row.tsx";
import type { UploadChoice } from "./last-upload.ts";

let nextId = 1;

interface ChosenKind {
  binary: BinaryTarget | undefined;
  /** Whether the user has chosen it. */
  kindChosen: boolean;
}

interface ChooseFilesProps {
  repository: RepositoryItem;
  /** Options of the last upload. */
  remembered: UploadChoice | undefined;
  files: readonly ChosenFile[];
  onChange: Dispatch<SetStateAction<readonly ChosenFile[]>>;
  onBack(): void;
  onSend(): void;
}

export function ChooseFiles({ repository, remembered, files, onChange, onBack, onSend }: ChooseFilesProps) {
  const { t } = useTranslation();
  const popup = usePopup("menu");
  const [over, setOver] = useState(false);
  const allowed = allowedFilesOf(repository);
  const server = useServerConfiguration();
  const replacingOff = server?.replacingPackagesEnabled === false;
  const format = formatOf(repository.technology);
  const { data: targets } = useQuery({
    queryKey: ["r-config"],
    queryFn: ({ signal }) => call(readRConfiguration, {}, { signal }),
    enabled: format.statesTarget,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shownInPlace: true },
  });
  const offersBinaries = format.statesTarget && targets !== undefined && targets.allowedDistributions.length > 0;
  const setAll = (change: Partial<ChosenFile>) => onChange((old) => old.map((one) => ({ ...one, ...change })));

  // Files that were selected but not rendered yet count as well.
  const chosenTargets = useRef(new Map<number, BinaryTarget>());
  // What is found by an earlier reading must not replace what the user has chosen since.
  const latestReadings = useRef(new Map<number, symbol>());
  const update = (id: number, change: Partial<ChosenFile>) =>
    onChange((old) => old.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const add = (added: readonly File[]) => {
    const before = new Map(files.map((one) => [one.file.name, one]));
    const again = added.find(({ name }) => before.has(name));
    if (again) toast.info(t("upload.chosenAlready", { name: again.name }));
    // A file whose name is in the list takes the place of the other one, with its options.
    const chosen = [...new Map(added.map((file) => [file.name, file])).values()].map(
      (file): ChosenFile => ({
        id: nextId++,
        file,
        wrongType: !hasAllowedName(file.name, allowed),
        reading: { kind: "reading" },
        replace: (remembered?.replace ?? false) && !replacingOff,
        notes: "",
        generateManual: remembered?.generateManual ?? server?.generateManuals ?? true,
        ...optionsOf(before.get(file.name)),
        binary: undefined,
      }),
    );
    const names = new Set(chosen.map(({ file }) => file.name));
    onChange((old) => [...chosen, ...old.filter(({ file }) => !names.has(file.name))]);
    for (const { id, file, wrongType } of chosen) {
      if (!wrongType) read(id, file, { binary: undefined, kindChosen: false });
    }
  };
  const read = (id: number, file: File, { binary, kindChosen }: ChosenKind) => {
    const request = binary && targets && { target: binary, allowed: allowedOf(targets) };
    const reading = Symbol();
    latestReadings.current.set(id, reading);
    const finishReading = (change: Partial<ChosenFile>) => {
      if (latestReadings.current.get(id) === reading) update(id, change);
    };
    readChosen(file, repository, { binary: request, kindChosen }).then(finishReading, () =>
      // The server will check what the browser cannot read; the user must not be blocked here.
      finishReading({ reading: { kind: "package", name: file.name, version: "", present: false } }),
    );
  };
  const change = ({ id, file }: ChosenFile, changed: Partial<ChosenFile>) => {
    if (!("binary" in changed)) return update(id, changed);
    const { binary } = changed;
    if (binary) chosenTargets.current.set(id, binary);
    else chosenTargets.current.delete(id);
    const readable = !binary || isComplete(binary);
    update(id, readable ? { ...changed, reading: { kind: "reading" } } : changed);
    if (readable) read(id, file, { binary, kindChosen: true });
    else latestReadings.current.delete(id);
  };
  const changeTarget = (one: ChosenFile, part: Partial<BinaryTarget>) => {
    const target = chosenTargets.current.get(one.id) ?? one.binary;
    if (target) change(one, { binary: { ...target, ...part } });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
  };
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.currentTarget.files ?? [])]);
    event.currentTarget.value = ""; // allows selecting the same file again
  };

  const hasObstacles = files.some((one) => obstacleOf(one) !== undefined);
  const reason = files.length === 0 ? t("upload.needFiles") : hasObstacles ? t("reason.formInvalid") : undefined;
  return (
    <div className={detailsStyles.stack}>
      <label
        className={styles.drop}
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
          className={visibilityStyles.hidden}
          accept={allowed.map(({ extension }) => (extension === ".tar.gz" ? ".gz" : extension)).join(",")}
          onChange={pick}
        />
        {over ? t("upload.release") : t("upload.drop")}
        <div className={textStyles.mono} style={{ fontSize: "0.78rem", marginTop: 4 }}>
          {allowed.map(({ extension }) => extension).join("  ")}
        </div>
      </label>

      {files.length > 0 && (
        <div className={bulkBarStyles.strip}>
          <Totals files={files} />
          <span style={{ flex: 1 }} />
          <button type="button" className={pillStyles.pill} data-testid="set-for-all" {...popup.button}>
            <IconAdjustments size={16} aria-hidden /> {t("upload.forAll")}
          </button>
          {popup.state && (
            <PopupMenu state={popup.state}>
              {!replacingOff &&
                [true, false].map((replace) => (
                  <Menu.Item
                    key={String(replace)}
                    onClick={() => setAll({ replace })}
                    data-testid={`all-replace-${replace}`}
                  >
                    {`${t("upload.replace")}: ${replace ? t("word.yes") : t("word.no")}`}
                  </Menu.Item>
                ))}
              {format.hasManual &&
                [true, false].map((generateManual) => (
                  <Menu.Item key={`manual ${generateManual}`} onClick={() => setAll({ generateManual })}>
                    {`${t("upload.manual")}: ${generateManual ? t("word.yes") : t("word.no")}`}
                  </Menu.Item>
                ))}
              <Menu.Item onClick={() => setAll({ notes: files[0]?.notes ?? "" })}>{t("upload.sameNotes")}</Menu.Item>
            </PopupMenu>
          )}
        </div>
      )}

      <div className={tableStyles.frame}>
        <table className={tableStyles.table}>
          <caption>{t("upload.addFiles", { technology: repository.technology })}</caption>
          <thead>
            <tr>
              <th scope="col" style={{ width: "26%" }}>
                {t("upload.file")}
              </th>
              <th scope="col">{t("upload.contents")}</th>
              <th scope="col" style={{ width: "18%" }}>
                {t("upload.notes")}
              </th>
              {format.statesTarget && (
                <th scope="col" style={{ width: 80 }}>
                  {t("upload.binary")}
                </th>
              )}
              {format.hasManual && (
                <th scope="col" style={{ width: 110 }}>
                  {t("upload.manual")}
                </th>
              )}
              <th scope="col" style={{ width: 90 }}>
                {t("upload.replace")}
              </th>
              <th scope="col" style={{ width: 60 }}>
                <span className={visibilityStyles.hidden}>{t("column.actions")}</span>
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
                targets={offersBinaries ? targets : undefined}
                format={format}
                onChange={(changed) => change(one, changed)}
                onTarget={(part) => changeTarget(one, part)}
                onRemove={() => onChange((old) => old.filter(({ id }) => id !== one.id))}
              />
            ))}
          </tbody>
        </table>
        {files.length === 0 && <div className={emptyStyles.empty}>{t("upload.needFiles")}</div>}
      </div>

      <div className={formStyles.buttons}>
        {files.length > 0 && (
          <Button variant="subtle" color="gray" onClick={() => onChange([])} style={{ marginRight: "auto" }}>
            {t("upload.clear")}
          </Button>
        )}
        <Button variant="default" onClick={onBack} data-testid="wizard-back">
          {t("action.back")}
        </Button>
        <BlockableButton onClick={onSend} blocked={reason} data-testid="wizard-submit">
          {t("upload.send", { count: files.length, formatted: formatNumber(files.length) })}
        </BlockableButton>
      </div>
    </div>
  );
}

const optionsOf = (one: ChosenFile | undefined) =>
  one && { replace: one.replace, notes: one.notes, generateManual: one.generateManual };

const allowedOf = (targets: RConfiguration) => ({
  rVersions: targets.allowedRVersions,
  architectures: targets.allowedArchitectures,
  distributions: targets.allowedDistributions,
});

/** How many files are ready, already there, invalid, or still being read. */
function Totals({ files }: { files: readonly ChosenFile[] }) {
  const { t } = useTranslation();
  const reading = files.filter((one) => one.reading.kind === "reading" && !one.wrongType).length;
  const wrong = files.filter((one) => obstacleOf(one) !== undefined).length;
  const present = files.filter(
    (one) => obstacleOf(one) === undefined && one.reading.kind === "package" && one.reading.present && !one.replace,
  ).length;
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const ready = files.length - reading - wrong - present;
  return (
    <span className={styles.totals} role="status" data-testid="upload-totals">
      <strong className={textStyles.strong}>
        {t("upload.files", { count: files.length, formatted: formatNumber(files.length) })}, {formatSize(size)}
      </strong>
      {ready > 0 && <span className={textStyles.good}>{t("upload.ready", { count: ready })}</span>}
      {present > 0 && <span className={textStyles.warn}>{t("upload.presentCount", { count: present })}</span>}
      {wrong > 0 && <span className={textStyles.bad}>{t("upload.wrongCount", { count: wrong })}</span>}
      {reading > 0 && <span>{t("upload.readingCount", { count: reading })}</span>}
    </span>
  );
}

/** What was found in the file; reports what is already there before anything is sent. */

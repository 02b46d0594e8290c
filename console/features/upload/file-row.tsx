import { Textarea } from "@mantine/core";
import type { RConfiguration } from "@packhouse/contract/configuration";
import type { AllowedFile } from "@packhouse/contract/repositories";
import type { PackageFormat } from "@packhouse/formats/package-format";
import type { BinaryTarget } from "@packhouse/formats/r/binary-target";
import { IconAlertTriangle, IconFileX, IconFileZip, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../../api/failure.ts";
import { reasonsOf } from "../../calls/report-failure.tsx";
import { formatSize } from "../../language/i18n.ts";
import { useServerConfiguration } from "../../session/use-session.ts";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { shortened } from "../../ui/display/shortened.ts";
import { Checkbox } from "../../ui/forms/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import buttonStyles from "../../ui/styles/button.module.css";
import formStyles from "../../ui/styles/form.module.css";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { type ChosenFile, isComplete } from "./chosen-file.ts";
import styles from "./file-row.module.css";

interface FileRowProps {
  one: ChosenFile;
  index: number;
  allowed: readonly AllowedFile[];
  /** The accepted targets of binaries; undefined: none. */
  targets: RConfiguration | undefined;
  format: PackageFormat;
  onChange(change: Partial<ChosenFile>): void;
  /** Changes one part of its system, keeping the current values of the others. */
  onTarget(part: Partial<BinaryTarget>): void;
  onRemove(): void;
}

/** One file with what was found in it and the options for it. */
export function FileRow({ one, index, allowed, targets, format, onChange, onTarget, onRemove }: FileRowProps) {
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
            <IconFileX size={18} className={textStyles.bad} aria-hidden />
          ) : (
            <IconFileZip size={18} className={textStyles.muted} aria-hidden />
          )}
          <span style={{ minWidth: 0 }}>
            <span className={textStyles.mono} style={{ overflowWrap: "anywhere" }}>
              {shortened(one.file.name)}
            </span>
            <span className={textStyles.second} style={{ display: "block" }}>
              {formatSize(one.file.size)}
            </span>
          </span>
        </span>
      </th>
      <td data-label={t("upload.contents")} style={{ whiteSpace: "normal" }}>
        {one.wrongType ? (
          <span className={textStyles.bad}>{wrongType}</span>
        ) : one.binary && targets ? (
          <>
            <TargetCell index={index} target={one.binary} targets={targets} onTarget={onTarget} />
            {isComplete(one.binary) && (
              <ReadingCell one={one} replacingOff={replacingOff} onReplace={() => onChange({ replace: true })} />
            )}
          </>
        ) : (
          <ReadingCell one={one} replacingOff={replacingOff} onReplace={() => onChange({ replace: true })} />
        )}
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
      {format.statesTarget && (
        <td data-label={t("upload.binary")}>
          <Checkbox
            aria-label={`${t("upload.binary")} ${one.file.name}`}
            checked={one.binary !== undefined}
            blocked={targets ? undefined : t("upload.binariesOff")}
            onChange={(checked) => onChange({ binary: checked ? noTarget : undefined })}
            data-testid={`file-${index}-binary`}
          />
        </td>
      )}
      {format.hasManual && (
        <td data-label={t("upload.manual")}>
          <Checkbox
            aria-label={`${t("upload.manual")} ${one.file.name}`}
            checked={one.generateManual && !one.binary}
            blocked={one.binary ? t("upload.manualForBinary") : undefined}
            onChange={(checked) => onChange({ generateManual: checked })}
            data-testid={`file-${index}-manual`}
          />
        </td>
      )}
      <td data-label={t("upload.replace")}>
        <Checkbox
          aria-label={`${t("upload.replace")} ${one.file.name}`}
          checked={one.replace}
          hint={t("upload.replaceHint")}
          blocked={replacingOff ? t("reason.replacingOff") : undefined}
          onChange={(checked) => onChange({ replace: checked })}
          data-testid={`file-${index}-replace`}
        />
      </td>
      <td className={tableStyles.bare}>
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

const noTarget: BinaryTarget = { rVersion: "", architecture: "", distribution: "" };

interface TargetCellProps {
  index: number;
  target: BinaryTarget;
  targets: RConfiguration;
  onTarget(part: Partial<BinaryTarget>): void;
}

/** The target of a binary; all three parts have to be selected. */
function TargetCell({ index, target, targets, onTarget }: TargetCellProps) {
  const { t } = useTranslation();
  const fields = [
    ["rVersion", t("upload.rVersion"), targets.allowedRVersions],
    ["architecture", t("upload.architecture"), targets.allowedArchitectures],
    ["distribution", t("upload.distribution"), targets.allowedDistributions],
  ] as const;
  return (
    <span className={styles.targets}>
      {fields.map(([name, label, options]) => (
        <select
          key={name}
          className={formStyles.smallSelect}
          aria-label={label}
          aria-invalid={target[name] === ""}
          value={target[name]}
          onChange={(event) => onTarget({ [name]: event.currentTarget.value })}
          data-testid={`file-${index}-${name}`}
        >
          <option value="">{label}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ))}
    </span>
  );
}

interface ReadingCellProps {
  one: ChosenFile;
  replacingOff: boolean;
  onReplace(): void;
}

function ReadingCell({ one, replacingOff, onReplace }: ReadingCellProps) {
  const { t } = useTranslation();
  const { reading } = one;
  if (reading.kind === "reading") return <span className={textStyles.muted}>{t("upload.reading")}…</span>;
  if (reading.kind === "broken")
    return (
      <span className={textStyles.bad}>{reasonsOf(new ApiFailure(422, null, "", [...reading.codes])).join("; ")}</span>
    );
  return (
    <>
      <span className={`${textStyles.mono} ${textStyles.strong}`}>{reading.name}</span>{" "}
      <span className={nameCellStyles.version}>{reading.version}</span>
      {reading.present && !one.replace && (
        <span
          className={textStyles.warn}
          style={{ display: "flex", gap: 4, alignItems: "center", fontSize: "0.78rem" }}
        >
          <IconAlertTriangle size={14} aria-hidden /> {t("upload.present")}
          {!replacingOff && (
            <button type="button" className={buttonStyles.linkButton} onClick={onReplace}>
              {t("upload.replaceIt")}
            </button>
          )}
        </span>
      )}
    </>
  );
}

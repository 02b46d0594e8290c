import { downloadHtmlManual, downloadManual } from "@packhouse/contract/operations/package-contents";
import type { OtherFile } from "@packhouse/contract/packages";
import { IconDownload } from "@tabler/icons-react";
import { Link, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { download } from "../../../api/client.ts";
import { fileNameOf, saveNamedFile, savePackageFile } from "../../../calls/package-file.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { saveFile } from "../../../calls/save-file.ts";
import { formatSize } from "../../../language/i18n.ts";
import { technologies } from "../../../technologies/technologies.ts";
import { Card } from "../../../ui/display/card.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import textStyles from "../../../ui/styles/text.module.css";
import type { AnyPackageItem } from "../package-calls.ts";
import styles from "./files-card.module.css";
import { LazyForeignPage } from "./lazy-foreign-page.ts";

/** R: the target of a binary; files of one version may have the same name. */
const platformOf = (file: AnyPackageItem | OtherFile) =>
  ("rversion" in file ? [file.distribution, file.architecture, file.rversion && `R ${file.rversion}`] : []).filter(
    (part) => typeof part === "string",
  );

/** The file of this package and the other files of its version. */
export function FilesCard({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const { technology } = item;
  const own = { ...item, fileName: fileNameOf(item) ?? item.name, save: () => savePackageFile(item) };
  const others = (item.otherFiles ?? []).map((file) => ({
    ...file,
    save: () => saveNamedFile({ ...file, technology }),
  }));
  const files = item.deleted ? [] : [own, ...others];
  return (
    <Card title={t("package.files")} testId="card-files">
      {files.map((file) => (
        <div key={file.id} className={styles.file}>
          <span>
            <span className={textStyles.mono} style={{ overflowWrap: "anywhere" }}>
              {file.fileName}
            </span>{" "}
            <span className={textStyles.muted}>
              {[...(file.size === undefined ? [] : [formatSize(file.size)]), ...platformOf(file)].join("\u00a0· ")}
            </span>
          </span>
          <IconButton
            icon={IconDownload}
            label={`${t("action.download")} ${file.fileName}`}
            hint={t("action.download")}
            testId={file.id === item.id ? "file-source" : `file-${file.id}`}
            onPress={() => void file.save().catch(reportFailure)}
          />
        </div>
      ))}
      {technologies[technology].hasManual && !item.binary && !item.deleted && <Manual item={item} />}
    </Card>
  );
}

/** The reference manual: to read here, and as a PDF if one was built. */
function Manual({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const { manual } = useSearch({ from: "/signed-in/packages/$technology/$id" });
  const available = "manualAvailable" in item ? item.manualAvailable : undefined;
  // A server that does not report whether there is a PDF does not have manual pages, either.
  const readable = available !== undefined;
  return (
    <div className={styles.file}>
      {readable ? (
        <Link
          from="/packages/$technology/$id"
          search={{ manual: "open" }}
          className={textStyles.link}
          resetScroll={false}
          data-testid="read-manual"
        >
          {t("package.manual")}
        </Link>
      ) : (
        <span>{t("package.manual")}</span>
      )}
      {available !== false && (
        <IconButton
          icon={IconDownload}
          label={`${t("action.download")} ${t("package.manual")}`}
          hint={`${t("action.download")} (PDF)`}
          testId="file-manual"
          onPress={() =>
            void saveFile(download(downloadManual, { id: item.id }), `${item.name}_${item.version}_manual.pdf`).catch(
              reportFailure,
            )
          }
        />
      )}
      {"manualFailure" in item && item.manualFailure && (
        <span className={textStyles.second} style={{ gridColumn: "1 / -1" }}>
          {t("package.manualFailed", { reason: item.manualFailure })}
        </span>
      )}
      <Suspense>
        {readable && manual === "open" && (
          <LazyForeignPage
            kind="manual"
            title={`${item.name} ${item.version}`}
            cacheKey={["manual", item.id]}
            load={() => download(downloadHtmlManual, { id: item.id })}
            inTheme
          />
        )}
      </Suspense>
    </div>
  );
}

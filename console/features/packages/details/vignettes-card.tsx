import { downloadVignette, listVignettes } from "@packhouse/contract/operations/package-contents";
import { IconDownload, IconExternalLink, IconNotebook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { call, download } from "../../../api/client.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { saveFile } from "../../../calls/save-file.ts";
import { technologies } from "../../../technologies/technologies.ts";
import { Card } from "../../../ui/display/card.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import linesStyles from "../../../ui/styles/lines.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import type { AnyPackageItem } from "../package-calls.ts";
import { LazyForeignPage } from "./lazy-foreign-page.ts";

const isPage = (fileName: string): boolean => /\.html?$/i.test(fileName);

/** The vignettes of an R package: to read in a sandboxed frame with its own address, or to save. */
export function VignettesCard({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const { vignette: opened } = useSearch({ from: "/signed-in/packages/$technology/$id" });
  const load = (file: string) => download(downloadVignette, { id: item.id, file });
  const { data = [] } = useQuery({
    queryKey: ["vignettes", item.id],
    queryFn: ({ signal }) => call(listVignettes, { id: item.id }, { signal }),
    enabled: technologies[item.technology].hasManual && !item.deleted,
    meta: { shownInPlace: true },
  });
  const shown = data.find(({ fileName }) => fileName === opened && isPage(fileName));
  if (data.length === 0) return null;
  return (
    <Card title={t("package.vignettes")} testId="card-vignettes">
      <ul className={linesStyles.lines}>
        {data.map(({ title, fileName }) => {
          const name = title || t("package.unnamedVignette");
          return (
            <li key={fileName} data-testid={`vignette-${fileName}`}>
              <IconNotebook size={18} stroke={1.75} className={textStyles.muted} aria-hidden />
              <span className={linesStyles.text}>
                {isPage(fileName) ? (
                  <Link
                    from="/packages/$technology/$id"
                    search={{ vignette: fileName }}
                    className={textStyles.link}
                    resetScroll={false}
                  >
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
              {isPage(fileName) && (
                <Link
                  from="/packages/$technology/$id"
                  search={{ vignette: fileName }}
                  target="_blank"
                  className={buttonStyles.iconButton}
                  aria-label={`${t("package.inNewTab")}: ${name}`}
                  title={t("package.inNewTab")}
                >
                  <IconExternalLink size={18} stroke={1.75} aria-hidden />
                </Link>
              )}
              <IconButton
                icon={IconDownload}
                label={`${t("action.download")} ${fileName}`}
                hint={fileName}
                onPress={() => void saveFile(load(fileName), fileName).catch(reportFailure)}
              />
            </li>
          );
        })}
      </ul>
      <Suspense>
        {shown && (
          <LazyForeignPage
            kind="vignette"
            title={shown.title || t("package.unnamedVignette")}
            cacheKey={["vignette", item.id, shown.fileName]}
            load={() => load(shown.fileName)}
          />
        )}
      </Suspense>
    </Card>
  );
}

import { vignette } from "@packhouse/contract/packages";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api } from "../api/client.ts";
import { reportFailure } from "../api/report-failure.tsx";
import { saveFile } from "../api/save-file.ts";
import { Card } from "../ui/card.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import type { AnyPackageItem } from "./package-calls.ts";

/** The vignettes of an R package, to be saved: they are other people's pages and are not shown within ours. */
export function VignettesCard({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const path = `/r/packages/${item.id}/vignettes`;
  const { data = [] } = useQuery({
    queryKey: ["vignettes", item.id],
    queryFn: ({ signal }) => api.get(path, vignette.array(), signal),
    enabled: item.technology === "R" && !item.deleted,
    meta: { shownInPlace: true },
  });
  if (data.length === 0) return null;
  return (
    <Card title={t("package.vignettes")} testId="card-vignettes">
      {data.map(({ title, fileName }) => (
        <div
          key={fileName}
          style={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", alignItems: "center", gap: 8 }}
        >
          <span style={{ overflowWrap: "anywhere" }}>{title}</span>
          <IconButton
            icon={IconDownload}
            label={`${t("action.download")} ${fileName}`}
            hint={fileName}
            onPress={() => void saveFile(`${path}/${encodeURIComponent(fileName)}`, fileName).catch(reportFailure)}
          />
        </div>
      ))}
    </Card>
  );
}

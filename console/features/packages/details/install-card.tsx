import "@mantine/core/styles/Tabs.layer.css";
import { Tabs } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { technologies } from "../../../technologies/technologies.ts";
import { CopyableCode } from "../../../ui/copy/copyable-code.tsx";
import { Card } from "../../../ui/display/card.tsx";
import tabsStyles from "../../../ui/styles/tabs.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import type { AnyPackageItem } from "../package-calls.ts";
import { installSnippets } from "./install-snippets.ts";

/** How to install the shown version, by client. */
export function InstallCard({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const snippets = installSnippets(item);
  const [client, setClient] = useState<string | null>(null);
  const chosen = snippets.find((snippet) => snippet.client === client) ?? snippets[0];
  if (!item.repository.published)
    return (
      <Card title={t("package.install")}>
        <p className={textStyles.muted}>{t("package.notPublishedYet")}</p>
      </Card>
    );
  return (
    <Card title={t("package.install")}>
      <p className={textStyles.muted} style={{ marginTop: 0 }}>
        {t(technologies[item.technology].installText(item))}
      </p>
      <Tabs value={chosen?.client ?? null} onChange={setClient}>
        <Tabs.List mb="sm" className={tabsStyles.scrolling}>
          {snippets.map((snippet) => (
            <Tabs.Tab key={snippet.client} value={snippet.client} className={textStyles.mono}>
              {snippet.client}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((snippet) => (
          <Tabs.Panel key={snippet.client} value={snippet.client}>
            <CopyableCode text={snippet.command} testId={snippet === chosen ? "install" : "install-other"} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {item.repository.requiresAuthentication && <p className={textStyles.muted}>{t("package.withToken")}</p>}
    </Card>
  );
}

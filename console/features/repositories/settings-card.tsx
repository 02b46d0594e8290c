import { can } from "@packhouse/contract/abilities";
import type { AnyRepositoryItem } from "@packhouse/contract/repositories";
import { hasRole } from "@packhouse/contract/roles";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { useOwnUser } from "../../session/use-session.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { Card, Facts, Tick } from "../../ui/display/card.tsx";
import textStyles from "../../ui/styles/text.module.css";
import { HealthCheck } from "./health-check.tsx";
import styles from "./repository-screen.module.css";

/** Breaks between the parts of an address where it does not fit. */
function Address({ text }: { text: string }) {
  const [first, ...others] = text.split("/");
  const ends = others.map((part, at) => ({ part, key: others.slice(0, at + 1).join("/") }));
  return (
    <>
      {first}
      {ends.map(({ part, key }) => (
        <Fragment key={key}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** How the repository is set up. */
export function SettingsCard({ item }: { item: AnyRepositoryItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  return (
    <Card title={t("repository.settings")}>
      <Facts
        rows={[
          [t("repository.technology"), item.technology],
          ...(hasRole(user.role, "repositorymaintainer")
            ? ([
                [
                  t("repository.serverAddress"),
                  <div key="address" className={styles.serverAddress} data-testid="detail-serverAddress">
                    <span className={`${textStyles.mono} ${textStyles.anywhere}`}>
                      <Address text={item.serverAddress} />
                    </span>
                    <span className={textStyles.word}>
                      <CopyButton text={item.serverAddress} label={`${t("action.copy")} ${item.serverAddress}`} />
                      {can(user.role, "POST repository") && <HealthCheck address={item.serverAddress} />}
                    </span>
                  </div>,
                  "wide",
                ],
              ] as const)
            : []),
          [t("repository.requiresAuthentication"), <Tick key="authentication" on={item.requiresAuthentication} />],
          ...(item.hashMethod ? ([[t("repository.hashMethod"), item.hashMethod]] as const) : []),
          ...(item.redirectToSource === undefined
            ? []
            : ([[t("repository.redirectToSource"), <Tick key="redirect" on={item.redirectToSource} />]] as const)),
        ]}
      />
    </Card>
  );
}

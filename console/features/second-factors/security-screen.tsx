import "../../second-step/texts.ts";
import { Button } from "@mantine/core";
import type { OwnSecondFactors, SecondFactorItem, SecondFactorKind } from "@packhouse/contract/second-factors";
import { IconFingerprint, IconPencil, IconShieldLock, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFailure } from "../../api/load-failure.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { passkeysWork } from "../../second-step/passkeys.ts";
import { Card } from "../../ui/display/card.tsx";
import { FailedLoad } from "../../ui/display/failed-load.tsx";
import { formatRelative } from "../../ui/display/relative-time.ts";
import { ZoneNote } from "../../ui/display/zone-note.tsx";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import formStyles from "../../ui/styles/form.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { ownSecondFactorsQuery } from "./own-second-factors.ts";
import { AddFactor, NewRecoveryCodes, RemoveFactor, RenameFactor } from "./second-factor-dialogs.tsx";
import styles from "./security-screen.module.css";

/** How the user's own account is protected. */
export function SecurityScreen() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(ownSecondFactorsQuery);
  return (
    <div data-testid="screen-settingsSecurity">
      <div className={pageStyles.head}>
        <h1>{t("settings.title")}</h1>
      </div>
      <SettingsTabs current="security" />
      {data ? (
        <OwnFactors own={data} />
      ) : (
        error && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

type Open =
  | { what: "add"; method: SecondFactorKind }
  | { what: "rename" | "remove"; factor: SecondFactorItem }
  | { what: "codes" };

function OwnFactors({ own }: { own: OwnSecondFactors }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { factors, methods, required, recoveryCodes } = own;
  return (
    <div className={pageStyles.narrow}>
      <Card title={t("secondFactor.heading")} testId="second-factors">
        <p className={textStyles.muted}>
          {methods.length > 0 ? t("secondFactor.lead") : t("secondFactor.unavailable")}{" "}
          {required && t("secondFactor.required")}
        </p>
        {factors.length === 0 ? (
          methods.length > 0 && <p>{t("secondFactor.none")}</p>
        ) : (
          <ul className={styles.factors}>
            {factors.map((factor) => (
              <Factor
                key={factor.id}
                factor={factor}
                onRename={() => setOpen({ what: "rename", factor })}
                onRemove={() => setOpen({ what: "remove", factor })}
              />
            ))}
          </ul>
        )}
        <div className={formStyles.buttons} style={{ justifyContent: "start", flexWrap: "wrap" }}>
          {methods.map((method) => (
            <BlockableButton
              key={method}
              variant="default"
              blocked={method === "passkey" && !passkeysWork() ? t("secondStep.noPasskeys") : undefined}
              onClick={() => setOpen({ what: "add", method })}
              data-testid={`add-${method}`}
            >
              {t(`secondStep.add.${method}`)}
            </BlockableButton>
          ))}
        </div>
      </Card>
      {factors.length > 0 && (
        <Card title={t("secondStep.recoveryCodes")} testId="recovery-codes-card">
          <p data-testid="recovery-codes-left">{t("secondFactor.codesLeft", { count: recoveryCodes })}</p>
          <div className={formStyles.buttons} style={{ justifyContent: "start" }}>
            <Button variant="default" onClick={() => setOpen({ what: "codes" })} data-testid="new-recovery-codes">
              {t("secondFactor.newCodes")}
            </Button>
          </div>
        </Card>
      )}
      {factors.length > 0 && <ZoneNote />}
      {open?.what === "add" && <AddFactor method={open.method} onClose={close} />}
      {open?.what === "rename" && <RenameFactor factor={open.factor} onClose={close} />}
      {open?.what === "remove" && <RemoveFactor factor={open.factor} isLast={factors.length === 1} onClose={close} />}
      {open?.what === "codes" && <NewRecoveryCodes onClose={close} />}
    </div>
  );
}

interface FactorProps {
  factor: SecondFactorItem;
  onRename(): void;
  onRemove(): void;
}

function Factor({ factor, onRename, onRemove }: FactorProps) {
  const { t } = useTranslation();
  const { id, kind, name, createdOn, lastUsedOn } = factor;
  const Icon = kind === "passkey" ? IconFingerprint : IconShieldLock;
  const used = lastUsedOn
    ? t("secondFactor.lastUsed", { when: formatRelative(lastUsedOn) })
    : t("secondFactor.neverUsed");
  return (
    <li data-testid={`factor-${id}`}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span>
        <span className={textStyles.strong}>{name}</span>
        <br />
        <span className={textStyles.muted}>
          {t(`secondStep.kind.${kind}`)} · {t("secondFactor.added", { when: formatDateTime(createdOn) })} · {used}
        </span>
      </span>
      <IconButton
        icon={IconPencil}
        label={t("secondFactor.rename", { name })}
        hint={t("action.edit")}
        testId={`rename-${id}`}
        onPress={onRename}
      />
      <IconButton
        icon={IconTrash}
        danger
        label={t("secondFactor.remove", { name })}
        hint={t("secondFactor.removeVerb")}
        testId={`remove-${id}`}
        onPress={onRemove}
      />
    </li>
  );
}

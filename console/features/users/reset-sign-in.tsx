import { Button } from "@mantine/core";
import { offers } from "@packhouse/contract/links";
import { createPasswordLink, createTemporaryPassword } from "@packhouse/contract/operations/passwords";
import { resetSecondFactors } from "@packhouse/contract/operations/second-factors";
import { endSessionsOfUser } from "@packhouse/contract/operations/sessions";
import type { UserItem } from "@packhouse/contract/users";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { useChange } from "../../calls/use-change.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { CopyableCode } from "../../ui/copy/copyable-code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { Checkbox } from "../../ui/forms/checkbox.tsx";
import formStyles from "../../ui/styles/form.module.css";
import textStyles from "../../ui/styles/text.module.css";

/** Shown only once: the server stores neither. */
type Issued = { link: string; until: string } | { password: string };

/** Actions of an administrator for users who cannot sign in, or whose sessions should end. */
export function ResetSignIn({ item, onClose }: { item: UserItem; onClose(): void }) {
  const { t } = useTranslation();
  const [keepAccessTokens, setKeep] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const ending = useChange(() => call(endSessionsOfUser, { id: item.id }), {
    success: t("resetSignIn.sessionsEnded", { name: item.name }),
    onDone: onClose,
  });
  const linking = useChange(
    async () => {
      const { link, expirationDate } = await call(createPasswordLink, { id: item.id, body: {} });
      setIssued({ link, until: expirationDate });
    },
    { success: t("done.link", { name: item.name }) },
  );
  const giving = useChange(
    async () => {
      setIssued(await call(createTemporaryPassword, { id: item.id, body: { keepAccessTokens } }));
    },
    { success: t("done.temporaryPassword", { name: item.name }) },
  );
  const resetting = useChange(() => call(resetSecondFactors, { id: item.id }), {
    success: t("resetSignIn.factorsReset", { name: item.name }),
    onDone: onClose,
  });
  const busy = ending.busy || linking.busy || giving.busy || resetting.busy;
  if (issued) return <ShownOnce item={item} issued={issued} onClose={onClose} />;
  return (
    <Dialog kind="resetSignIn" title={t("resetSignIn.title", { name: item.name })} startOnClose onClose={onClose}>
      <div className={formStyles.form}>
        <Remedy
          verb={t("resetSignIn.endSessions")}
          hint={t("resetSignIn.endSessionsHint")}
          busy={busy}
          onClick={ending.change}
          testId="end-sessions"
        />
        {offers(item, "resetSecondFactors") && (
          <Remedy
            verb={t("resetSignIn.resetFactors")}
            hint={t("resetSignIn.resetFactorsHint")}
            busy={busy}
            onClick={resetting.change}
            testId="reset-second-factors"
          />
        )}
        <Remedy
          verb={t("resetSignIn.link")}
          hint={t("resetSignIn.linkHint")}
          busy={busy}
          onClick={linking.change}
          testId="password-link"
        />
        <Remedy
          verb={t("resetSignIn.temporary")}
          hint={t("resetSignIn.temporaryHint")}
          busy={busy}
          onClick={giving.change}
          testId="temporary-password"
        >
          <Checkbox
            label={t("resetSignIn.endTokens")}
            checked={!keepAccessTokens}
            onChange={(checked) => setKeep(!checked)}
            data-testid="field-endTokens"
          />
        </Remedy>
      </div>
    </Dialog>
  );
}

interface RemedyProps {
  verb: string;
  hint: string;
  /** While another one runs. */
  busy: boolean;
  onClick(): void;
  testId: string;
  children?: ReactNode;
}

function Remedy({ verb, hint, busy, onClick, testId, children }: RemedyProps) {
  const { t } = useTranslation();
  return (
    <section className={formStyles.form}>
      <BlockableButton
        variant="default"
        blocked={busy ? t("reason.pending") : undefined}
        onClick={onClick}
        data-testid={testId}
      >
        {verb}
      </BlockableButton>
      <span className={textStyles.muted}>{hint}</span>
      {children}
    </section>
  );
}

function ShownOnce({ item, issued, onClose }: { item: UserItem; issued: Issued; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog kind="resetSignInDone" title={t("resetSignIn.title", { name: item.name })} onClose={onClose}>
      <div className={formStyles.form}>
        <p style={{ margin: 0 }}>
          {"link" in issued
            ? t("resetSignIn.linkMade", { name: item.name, date: formatDateTime(issued.until) })
            : t("resetSignIn.temporaryMade", { name: item.name })}
        </p>
        <CopyableCode text={"link" in issued ? issued.link : issued.password} testId="issued" />
        <div className={formStyles.buttons}>
          <Button onClick={onClose} data-testid="dialog-confirm">
            {t("action.ok")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

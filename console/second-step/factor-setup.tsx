import { Button, TextInput } from "@mantine/core";
import type { EnrollmentConfirmation, SecondFactorKind, StartedEnrollment } from "@packhouse/contract/second-factors";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reportFailure } from "../calls/report-failure.tsx";
import { copyText } from "../ui/copy/copy-text.ts";
import copyableCodeStyles from "../ui/copy/copyable-code.module.css";
import { fieldHooks } from "../ui/forms/field-hooks.ts";
import { Form } from "../ui/forms/form.tsx";
import buttonStyles from "../ui/styles/button.module.css";
import textStyles from "../ui/styles/text.module.css";
import { CodeInput } from "./code-input.tsx";
import { createPasskey, NoPasskey } from "./passkeys.ts";
import { QrCode } from "./qr-code.tsx";

interface FactorSetupProps {
  method: SecondFactorKind;
  started: StartedEnrollment;
  /**
   * Adds the factor. Resolves to the reason to show in the form; undefined: it was added, or the failure is shown
   * elsewhere.
   */
  confirm(confirmation: EnrollmentConfirmation): Promise<string | undefined>;
}

/** Shows what the app or the browser needs, and confirms the new factor by its first use. */
export function FactorSetup({ method, started, confirm }: FactorSetupProps) {
  const { t } = useTranslation();
  const { continuation, totp, passkey } = started;
  const [name, setName] = useState(t(`secondStep.kind.${method}`));
  const [code, setCode] = useState("");
  const [touched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);

  const proof = async () => (passkey ? { attestation: await createPasskey(passkey) } : { code });
  const showErrors = () => {
    setTouched(true);
    setRefusal(undefined);
  };
  const submit = async () => {
    setBusy(true);
    try {
      setRefusal(await confirm({ continuation, name, ...(await proof()) }));
    } catch (error) {
      if (!(error instanceof NoPasskey)) reportFailure(error);
      else setRefusal(t(error.alreadyAdded ? "code.second.factor.already.added" : "secondStep.noPasskey"));
    } finally {
      setCode("");
      setTouched(false);
      setBusy(false);
    }
  };
  return (
    <Form onAttempt={showErrors} onSubmit={submit}>
      {totp && (
        <>
          <p style={{ margin: 0 }}>{t("secondStep.scan")}</p>
          <QrCode text={totp.address} label={t("secondStep.qrCode")} />
          <div>
            <div className={textStyles.muted}>{t("secondStep.key")}</div>
            <div className={copyableCodeStyles.code}>
              <code data-testid="totp-secret">{totp.secret.replace(/(.{4})(?!$)/g, "$1 ")}</code>
            </div>
            <button
              type="button"
              className={buttonStyles.linkButton}
              onClick={() => void copyText(totp.secret)}
              data-testid="totp-secret-copy"
            >
              {t("action.copy")}
            </button>
          </div>
        </>
      )}
      <TextInput
        label={t("secondStep.name")}
        value={name}
        maxLength={100}
        autoComplete="off"
        error={touched && name.trim() === "" ? t("secondStep.nameRequired") : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        {...fieldHooks("factorName")}
      />
      {totp ? (
        <CodeInput
          code={code}
          error={refusal ?? (touched && code.trim() === "" ? t("secondStep.codeRequired") : undefined)}
          onChange={setCode}
        />
      ) : (
        refusal && (
          <div role="alert" className={textStyles.bad} data-testid="passkey-refusal">
            {refusal}
          </div>
        )
      )}
      <Button type="submit" loading={busy} data-testid="factor-confirm">
        {t(totp ? "secondStep.confirm" : "secondStep.add.passkey")}
      </Button>
    </Form>
  );
}

import { passSecondFactor } from "@packhouse/contract/operations/second-step";
import "./texts.ts";
import { Button, TextInput } from "@mantine/core";
import {
  type SecondFactorDemand,
  type SecondStep as SecondStepBody,
  type SecondStepMethod,
  secondFactorDemand,
} from "@packhouse/contract/second-factors";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { signInBy } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { reportFailure } from "../calls/report-failure.tsx";
import { fieldHooks } from "../ui/forms/field-hooks.ts";
import { Form } from "../ui/forms/form.tsx";
import buttonStyles from "../ui/styles/button.module.css";
import textStyles from "../ui/styles/text.module.css";
import { CodeInput } from "./code-input.tsx";
import { isPassing } from "./passing-failure.ts";
import { NoPasskey, passkeysWork, signWithPasskey } from "./passkeys.ts";
import styles from "./second-step.module.css";
import type { StepHandlers } from "./step-handlers.ts";

/** Follows the password of users with second factors. */
export const secondStep = (data: unknown, handlers: StepHandlers): ReactNode => (
  <SecondStep demand={secondFactorDemand.parse(data)} {...handlers} />
);

interface SecondStepProps extends StepHandlers {
  demand: SecondFactorDemand;
}

function SecondStep({ demand, onToken, onBack, onFailure }: SecondStepProps) {
  const { t } = useTranslation();
  const methods = demand.methods.filter((method) => method !== "passkey" || passkeysWork());
  const [method, setMethod] = useState<SecondStepMethod | undefined>(methods[0]);
  const [text, setText] = useState("");
  const [touched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { continuation } = demand;

  const bodyOf = async (chosen: SecondStepMethod): Promise<SecondStepBody | undefined> => {
    if (chosen === "passkey")
      return demand.passkey ? { continuation, assertion: await signWithPasskey(demand.passkey) } : undefined;
    if (text.trim() === "") return undefined;
    return chosen === "totp" ? { continuation, code: text } : { continuation, recoveryCode: text };
  };
  const showErrors = () => {
    setTouched(true);
    setRefusal(undefined);
  };
  const submit = async () => {
    setBusy(true);
    try {
      const body = method && (await bodyOf(method));
      if (!body) return;
      const { token } = await signInBy(passSecondFactor, body);
      onToken(token);
    } catch (error) {
      const { status, messageCode } = error instanceof ApiFailure ? error : { status: undefined, messageCode: null };
      if (!isPassing(error)) setText("");
      setTouched(false);
      if (error instanceof NoPasskey) setRefusal(t("secondStep.noPasskey"));
      else if (messageCode === "second.factor.refused") setRefusal(t("secondStep.refused"));
      else if (messageCode === "second.factor.expired") onBack(t("secondStep.expired"));
      else if (status === 429) setRefusal(t("session.tooMany"));
      else if (isPassing(error)) reportFailure(error);
      else onFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const choose = (next: SecondStepMethod) => {
    setMethod(next);
    setText("");
    setTouched(false);
    setRefusal(undefined);
  };
  const missing = touched && text.trim() === "";
  return (
    <Form onAttempt={showErrors} onSubmit={submit} data-testid="second-step">
      <div>
        <h2 style={{ margin: 0 }}>{t("secondStep.title")}</h2>
        <span className={textStyles.muted}>{t("secondStep.lead")}</span>
      </div>
      {!method && <p className={textStyles.bad}>{t("secondStep.noMethod")}</p>}
      {method === "totp" && (
        <CodeInput
          key="totp"
          focused
          code={text}
          error={refusal ?? (missing ? t("secondStep.codeRequired") : undefined)}
          onChange={setText}
        />
      )}
      {method === "recoveryCode" && (
        <TextInput
          key="recoveryCode"
          label={t("secondStep.recoveryCode")}
          autoComplete="off"
          autoFocus
          data-autofocus
          maxLength={100}
          value={text}
          error={refusal ?? (missing ? t("secondStep.recoveryCodeRequired") : undefined)}
          onChange={(event) => setText(event.currentTarget.value)}
          {...fieldHooks("recoveryCode")}
        />
      )}
      {method === "passkey" && refusal && (
        <div role="alert" className={textStyles.bad} data-testid="passkey-refusal">
          {refusal}
        </div>
      )}
      {method && (
        <Button
          type="submit"
          size="md"
          loading={busy}
          autoFocus={method === "passkey"}
          data-testid="second-step-submit"
        >
          {t(method === "passkey" ? "secondStep.use.passkey" : "secondStep.confirm")}
        </Button>
      )}
      <div className={styles.choices}>
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <button
              key={other}
              type="button"
              className={buttonStyles.linkButton}
              onClick={() => choose(other)}
              data-testid={`use-${other}`}
            >
              {t(`secondStep.use.${other}`)}
            </button>
          ))}
        <button
          type="button"
          className={buttonStyles.linkButton}
          onClick={() => onBack()}
          data-testid="second-step-back"
        >
          {t("secondStep.back")}
        </button>
      </div>
    </Form>
  );
}

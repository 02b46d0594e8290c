import { confirmEnrollmentAtSignIn, startEnrollmentAtSignIn } from "@packhouse/contract/operations/second-step";
import "./texts.ts";
import {
  type EnrollmentConfirmation,
  type EnrollmentDemand,
  enrollmentDemand,
  type SecondFactorKind,
  type StartedEnrollment,
} from "@packhouse/contract/second-factors";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { signInBy } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { reasonsOf, reportFailure } from "../calls/report-failure.tsx";
import { BlockableButton } from "../ui/forms/blockable-button.tsx";
import buttonStyles from "../ui/styles/button.module.css";
import formStyles from "../ui/styles/form.module.css";
import textStyles from "../ui/styles/text.module.css";
import { FactorSetup } from "./factor-setup.tsx";
import { isPassing } from "./passing-failure.ts";
import { passkeysWork } from "./passkeys.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import secondStepStyles from "./second-step.module.css";
import type { StepHandlers } from "./step-handlers.ts";

/** Follows the password if the user's role requires a second factor and they have none. */
export const enrollmentStep = (data: unknown, handlers: StepHandlers): ReactNode => (
  <EnrollmentStep demand={enrollmentDemand.parse(data)} {...handlers} />
);

interface EnrollmentStepProps extends StepHandlers {
  demand: EnrollmentDemand;
}

function EnrollmentStep({ demand, onToken, onBack, onFailure }: EnrollmentStepProps) {
  const { t } = useTranslation();
  const { continuation } = demand;
  const [chosen, setChosen] = useState<{ method: SecondFactorKind; started: StartedEnrollment }>();
  const [enrolled, setEnrolled] = useState<{ token: string; recoveryCodes: string[] }>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState<SecondFactorKind>();

  /** The reason to show in the form; a refusal that ends the step returns to the password form. */
  const reasonAtForm = (error: unknown): string | undefined => {
    const { status, messageCode } = error instanceof ApiFailure ? error : { status: undefined, messageCode: null };
    if (messageCode === "second.factor.refused") return t("secondStep.refused");
    if (error instanceof ApiFailure && status === 422) return reasonsOf(error).join("; ");
    if (messageCode === "second.factor.expired") onBack(t("secondStep.expired"));
    else if (isPassing(error)) reportFailure(error);
    else onFailure(error);
    return undefined;
  };
  const start = async (method: SecondFactorKind) => {
    setBusy(method);
    setRefusal(undefined);
    try {
      const started = await signInBy(startEnrollmentAtSignIn, { continuation, method });
      setChosen({ method, started });
    } catch (error) {
      setRefusal(reasonAtForm(error));
    } finally {
      setBusy(undefined);
    }
  };
  const confirm = async (body: EnrollmentConfirmation) => {
    try {
      setEnrolled(await signInBy(confirmEnrollmentAtSignIn, body));
      return undefined;
    } catch (error) {
      return reasonAtForm(error);
    }
  };
  if (enrolled)
    return (
      <>
        <h2 style={{ margin: 0 }}>{t("secondStep.recoveryCodes")}</h2>
        <RecoveryCodes codes={enrolled.recoveryCodes} onDone={() => onToken(enrolled.token)} />
      </>
    );
  return (
    <div className={formStyles.form} data-testid="enrollment-step">
      <div>
        <h2 style={{ margin: 0 }}>{t("secondStep.enroll")}</h2>
        <span className={textStyles.muted}>{t("secondStep.enrollLead")}</span>
      </div>
      {chosen ? (
        <FactorSetup key={chosen.started.continuation} {...chosen} confirm={confirm} />
      ) : (
        demand.methods.map((method) => {
          const works = method !== "passkey" || passkeysWork();
          return (
            <div key={method} style={{ display: "grid", gap: 4 }}>
              <BlockableButton
                size="md"
                variant="default"
                loading={busy === method}
                blocked={works ? undefined : t("secondStep.noPasskeys")}
                onClick={() => void start(method)}
                data-testid={`enroll-${method}`}
              >
                {t(`secondStep.add.${method}`)}
              </BlockableButton>
              <span className={textStyles.muted} aria-hidden={!works}>
                {works ? t(`secondStep.hint.${method}`) : t("secondStep.noPasskeys")}
              </span>
            </div>
          );
        })
      )}
      {refusal && (
        <div role="alert" className={textStyles.bad} data-testid="enrollment-refusal">
          {refusal}
        </div>
      )}
      <div className={secondStepStyles.choices}>
        <button
          type="button"
          className={buttonStyles.linkButton}
          onClick={() => onBack()}
          data-testid="second-step-back"
        >
          {t("secondStep.back")}
        </button>
      </div>
    </div>
  );
}

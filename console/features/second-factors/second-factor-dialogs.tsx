import { TextInput } from "@mantine/core";
import {
  confirmEnrollment,
  editSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  startEnrollment,
} from "@packhouse/contract/operations/second-factors";
import type {
  EnrollmentConfirmation,
  SecondFactorItem,
  SecondFactorKind,
  StartedEnrollment,
} from "@packhouse/contract/second-factors";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { reasonsOf, reportFailure } from "../../calls/report-failure.tsx";
import { useChange } from "../../calls/use-change.ts";
import { FactorSetup } from "../../second-step/factor-setup.tsx";
import { RecoveryCodes } from "../../second-step/recovery-codes.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { fieldHooks, required } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import { CurrentPasswordField } from "../../ui/forms/password-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ownSecondFactorsQuery } from "./own-second-factors.ts";

const affects = [ownSecondFactorsQuery.queryKey];

/** The reasons of a refusal that a form shows in place; other failures are shown as usual. */
function reasonAtForm(error: unknown): string | undefined {
  if (error instanceof ApiFailure && error.status === 422) return reasonsOf(error).join("; ");
  reportFailure(error);
  return undefined;
}

interface PasswordFormProps {
  verb: string;
  children?: ReactNode;
  /** Throws if it fails. */
  run(password: string): Promise<void>;
  onClose(): void;
}

/** Asks for the password before the protection of an account is changed. */
function PasswordForm({ verb, children, run, onClose }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      await run(password);
    } catch (error) {
      setRefusal(reasonAtForm(error));
      setPassword("");
      setBusy(false);
    }
  };
  const type = (typed: string) => {
    setRefusal(undefined);
    setPassword(typed);
  };
  return (
    <Form onAttempt={() => setRefusal(password === "" ? t("session.passwordRequired") : undefined)} onSubmit={submit}>
      {children}
      <CurrentPasswordField value={password} refusal={refusal} onType={type} />
      <FormButtons verb={verb} busy={busy} onClose={onClose} />
    </Form>
  );
}

export function AddFactor({ method, onClose }: { method: SecondFactorKind; onClose(): void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [started, setStarted] = useState<StartedEnrollment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const start = async (password: string) => {
    setStarted(await call(startEnrollment, { body: { method, password } }));
  };
  const confirm = async (body: EnrollmentConfirmation) => {
    try {
      const { recoveryCodes } = await call(confirmEnrollment, { body });
      toast.success(t("secondFactor.addedToast"));
      // The server shows them only once: nothing may come before them.
      if (recoveryCodes.length > 0) setCodes(recoveryCodes);
      else onClose();
      void queries.invalidateQueries({ queryKey: ownSecondFactorsQuery.queryKey });
      return undefined;
    } catch (error) {
      return reasonAtForm(error);
    }
  };
  return (
    <Dialog
      kind="addFactor"
      title={t(codes ? "secondStep.recoveryCodes" : `secondStep.add.${method}`)}
      onClose={onClose}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : started ? (
        <FactorSetup method={method} started={started} confirm={confirm} />
      ) : (
        <PasswordForm verb={t("secondStep.confirm")} run={start} onClose={onClose}>
          <p style={{ margin: 0 }}>{t(`secondStep.hint.${method}`)}</p>
        </PasswordForm>
      )}
    </Dialog>
  );
}

export function RenameFactor({ factor, onClose }: { factor: SecondFactorItem; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(factor.name);
  const { busy, change } = useChange(
    () => call(editSecondFactor, { id: factor.id, body: [replace("/name", name.trim())] }),
    { success: t("done.save", { name: name.trim() }), affects, onDone: onClose },
  );
  const blocked = name.trim() === factor.name ? t("reason.formUnchanged") : undefined;
  return (
    <Dialog kind="renameFactor" title={t("secondFactor.rename", { name: factor.name })} onClose={onClose}>
      <Form blocked={blocked} onSubmit={change}>
        <TextInput
          label={t("secondStep.name")}
          data-autofocus
          maxLength={100}
          value={name}
          error={name.trim() === "" ? t("secondStep.nameRequired") : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          {...required}
          {...fieldHooks("factorName")}
        />
        <FormButtons verb={t("action.save")} busy={busy} blocked={blocked} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface RemoveFactorProps {
  factor: SecondFactorItem;
  isLast: boolean;
  onClose(): void;
}

export function RemoveFactor({ factor, isLast, onClose }: RemoveFactorProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = async (password: string) => {
    await call(removeSecondFactor, { id: factor.id, body: { password } });
    toast.success(t("done.delete", { name: factor.name }));
    await queries.invalidateQueries({ queryKey: ownSecondFactorsQuery.queryKey });
    onClose();
  };
  return (
    <Dialog kind="removeFactor" title={t("secondFactor.remove", { name: factor.name })} onClose={onClose}>
      <PasswordForm verb={t("secondFactor.removeVerb")} run={remove} onClose={onClose}>
        {isLast && <p style={{ margin: 0 }}>{t("secondFactor.lastHint")}</p>}
      </PasswordForm>
    </Dialog>
  );
}

export function NewRecoveryCodes({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const create = async (password: string) => {
    setCodes((await call(replaceRecoveryCodes, { body: { password } })).recoveryCodes);
    void queries.invalidateQueries({ queryKey: ownSecondFactorsQuery.queryKey });
  };
  return (
    <Dialog kind="recoveryCodes" title={t("secondStep.recoveryCodes")} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordForm verb={t("secondFactor.newCodes")} run={create} onClose={onClose}>
          <p style={{ margin: 0 }}>{t("secondFactor.newCodesHint")}</p>
        </PasswordForm>
      )}
    </Dialog>
  );
}

import { Button, Tabs } from "@mantine/core";
import { changeOwnPassword } from "@packhouse/contract/operations/passwords";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { reasonsOf } from "../../calls/report-failure.tsx";
import { useChange } from "../../calls/use-change.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { storeToken } from "../../session/stored-session.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { NewPasswordFields, noPassword } from "../../sign-in/new-password-fields.tsx";
import { LeaveGuard } from "../../ui/dialogs/leave-guard.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import formStyles from "../../ui/styles/form.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import textStyles from "../../ui/styles/text.module.css";

const wrongPassword = "password.wrong";

/** Changes the user's password. This session continues; all others end. */
export function PasswordScreen() {
  const { t } = useTranslation();
  const { login } = useOwnUser();
  const [current, setCurrent] = useState("");
  const [value, setValue] = useState(noPassword);
  const [touched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<ApiFailure>();
  const { busy, send } = useChange(
    async () => {
      const body = {
        currentPassword: current,
        newPassword: value.password,
        keepAccessTokens: value.keepAccessTokens,
      };
      const { token } = await call(changeOwnPassword, { body });
      storeToken(token);
    },
    {
      success: t("password.changed"),
      onFailure(error) {
        if (!(error instanceof ApiFailure) || error.status !== 422) return false;
        setRefusal(error);
        return true;
      },
      onDone() {
        setCurrent("");
        setValue(noPassword);
        setTouched(false);
      },
    },
  );
  const showErrors = () => {
    setTouched(true);
    setRefusal(undefined);
  };
  const reason = refusal && reasonsOf(refusal).join("; ");
  const isWrong = refusal?.violations.includes(wrongPassword) ?? false;
  const entered = current !== "" || value.password !== "" || value.again !== "";
  return (
    <div data-testid="screen-settingsPassword">
      <LeaveGuard when={entered && !busy} question={t("message.unsaved")} />
      <div className={pageStyles.head}>
        <h1>{t("settings.title")}</h1>
      </div>
      <SettingsTabs current="password">
        <Tabs.Panel value="password" className={`${cardStyles.card} ${formStyles.form} ${pageStyles.narrow}`}>
          <Form onAttempt={showErrors} onSubmit={() => send(false)}>
            {/* For password managers, which store the password under this name. */}
            <input type="text" autoComplete="username" value={login} readOnly hidden />
            <PasswordField
              label={t("password.current")}
              autoComplete="current-password"
              value={current}
              error={touched && current === "" ? t("message.required") : isWrong ? reason : undefined}
              onChange={(event) => {
                setRefusal(undefined);
                setCurrent(event.currentTarget.value);
              }}
              {...fieldHooks("currentPassword")}
            />
            <NewPasswordFields
              value={value}
              touched={touched}
              refusal={isWrong ? undefined : reason}
              onChange={(changed) => {
                setRefusal(undefined);
                setValue(changed);
              }}
            />
            <p className={textStyles.muted} style={{ margin: 0 }}>
              {t("password.endsSessions")}
            </p>
            <div className={formStyles.buttons}>
              <Button type="submit" loading={busy} data-testid="save">
                {t("password.change")}
              </Button>
            </div>
          </Form>
        </Tabs.Panel>
      </SettingsTabs>
    </div>
  );
}

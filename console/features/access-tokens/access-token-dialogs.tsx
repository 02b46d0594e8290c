import { createAccessToken, editAccessToken } from "@packhouse/contract/operations/access-tokens";
import "@mantine/core/styles/NumberInput.layer.css";
import "@mantine/core/styles/Tabs.layer.css";
import { Button, NumberInput, Tabs, TextInput } from "@mantine/core";
import { type AccessTokenItem, longestLifetimeDays, shortestLifetimeDays } from "@packhouse/contract/access-tokens";
import { IconAlertTriangle } from "@tabler/icons-react";
import dayjs from "dayjs";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { configuration, serverAddress } from "../../api/configuration.ts";
import { useChange } from "../../calls/use-change.ts";
import { formatDate } from "../../language/i18n.ts";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import copyableCodeStyles from "../../ui/copy/copyable-code.module.css";
import { CopyableCode } from "../../ui/copy/copyable-code.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { fieldHooks, required } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import formStyles from "../../ui/styles/form.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import tabsStyles from "../../ui/styles/tabs.module.css";
import textStyles from "../../ui/styles/text.module.css";
import styles from "./access-token-dialogs.module.css";
import { tokenPlaces } from "./token-places.ts";

const presetDays = [30, 90, 365] as const;
const DayInput = lazyWithRetry(() => import("../../ui/forms/day-input.tsx").then((it) => it.DayInput));

/** The date this many days from today. */
const dayIn = (days: number): string => dayjs().add(days, "day").format("YYYY-MM-DD");

/** Asks for a name and a lifetime, then shows the value: only once, because the server does not store it. */
export function CreateToken({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const server = useServerConfiguration();
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<number>();
  const [touched, setTouched] = useState(false);
  const [created, setCreated] = useState<AccessTokenItem>();
  const days = lifetime ?? server?.accessTokenLifetimeDefault ?? 30;
  const configurable = server?.accessTokenLifetimeConfigurable ?? true;
  const most = server?.accessTokenLifetimeMaximum ?? longestLifetimeDays;
  const lifetimeFits = Number.isInteger(days) && days >= shortestLifetimeDays && days <= most;
  const expiryDay = lifetimeFits ? dayIn(days) : "";
  const { busy, change } = useChange(
    async () => {
      const body = { name: name.trim(), lifetime: String(days) };
      setCreated(await call(createAccessToken, { body }));
    },
    { success: t("done.create", { name: name.trim() }) },
  );
  if (created?.value) return <Created token={created} value={created.value} onClose={onClose} />;
  return (
    <Dialog kind="create" title={t("token.create")} onClose={onClose}>
      <Form onAttempt={() => setTouched(true)} onSubmit={change}>
        <TextInput
          label={t("column.name")}
          description={t("token.nameHint")}
          value={name}
          error={touched && name.trim() === "" ? t("message.required") : undefined}
          onBlur={() => setTouched(true)}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          {...required}
          {...fieldHooks("name")}
        />
        <NumberInput
          label={t("token.lifetime")}
          description={
            configurable
              ? lifetimeFits && t("token.expiresOn", { date: formatDate(dayjs().add(days, "day").toISOString()) })
              : t("token.lifetimeFixed")
          }
          value={days}
          disabled={!configurable}
          allowDecimal={false}
          error={lifetimeFits ? undefined : t("token.lifetimeRange", { most })}
          onChange={(value) => setLifetime(Number(value))}
          {...required}
          {...fieldHooks("lifetime")}
        />
        {configurable && (
          <fieldset className={styles.presets} aria-label={t("token.presets")}>
            {presetDays
              .filter((preset) => preset <= most)
              .map((preset) => (
                <button
                  key={preset}
                  type="button"
                  className={pillStyles.pill}
                  aria-pressed={days === preset}
                  data-applied={days === preset || undefined}
                  onClick={() => setLifetime(preset)}
                  data-testid={`lifetime-${preset}`}
                >
                  {t("token.days", { count: preset })}
                </button>
              ))}
          </fieldset>
        )}
        {configurable && (
          // Keeps the size while the calendar loads: a button must not move away before a click.
          <Suspense fallback={<TextInput label={t("token.expiryDay")} readOnly value={expiryDay} />}>
            <DayInput
              label={t("token.expiryDay")}
              value={expiryDay}
              earliest={dayIn(shortestLifetimeDays)}
              latest={dayIn(most)}
              onChange={(day) => setLifetime(day === "" ? undefined : dayjs(day).diff(dayjs().startOf("day"), "day"))}
              testId="field-expiryDay"
            />
          </Suspense>
        )}
        <FormButtons verb={t("token.create")} busy={busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Replaces a token by a new one with the same name and lifetime; the old one ends when the new one exists. */
export function RotateToken({ item, onClose }: { item: AccessTokenItem; onClose(): void }) {
  const { t } = useTranslation();
  const [created, setCreated] = useState<AccessTokenItem>();
  const { busy, change } = useChange(
    async () => {
      const body = { name: item.name, lifetime: String(item.lifetime) };
      setCreated(await call(createAccessToken, { body }));
      await call(editAccessToken, { id: item.id, body: [replace("/active", false)] });
    },
    { success: t("done.create", { name: item.name }) },
  );
  if (created?.value) return <Created token={created} value={created.value} onClose={onClose} />;
  return (
    <ConfirmDialog
      kind="rotate"
      title={t("token.rotateQuestion", { name: item.name })}
      verb={t("token.rotate")}
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{t("token.rotateHint", { count: item.lifetime })}</p>
    </ConfirmDialog>
  );
}

/** The address of this page's server, without a trailing slash. */
const ownAddress = (): string => (window.location.origin + configuration().urlPrefix).replace(/\/$/, "");

function Created({ token, value, onClose }: { token: AccessTokenItem; value: string; onClose(): void }) {
  const { t } = useTranslation();
  const { login } = useOwnUser();
  const places = tokenPlaces(login, value, serverAddress() || ownAddress());
  const [place, setPlace] = useState(places[0]?.name ?? "");
  return (
    <Dialog kind="created" title={t("token.created", { name: token.name })} onClose={onClose}>
      <p className={noteStyles.note}>
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden /> {t("token.copyNow")}
      </p>
      <div className={`${copyableCodeStyles.code} ${copyableCodeStyles.copyable}`}>
        <code data-testid="token-value">{value}</code>
        <CopyButton text={value} />
      </div>
      <p className={textStyles.muted}>{t("token.howTo", { login })}</p>
      <Tabs value={place} onChange={(next) => setPlace(next ?? "")}>
        <Tabs.List mb="sm" className={tabsStyles.scrolling}>
          {places.map(({ name }) => (
            <Tabs.Tab key={name} value={name} className={textStyles.mono}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {places.map(({ name, text }) => (
          <Tabs.Panel key={name} value={name}>
            <CopyableCode text={text} testId="place" />
          </Tabs.Panel>
        ))}
      </Tabs>
      <div className={formStyles.buttons}>
        <Button onClick={onClose} data-testid="dialog-confirm">
          {t("action.ok")}
        </Button>
      </div>
    </Dialog>
  );
}

export function EditToken({ item, onClose }: { item: AccessTokenItem; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(item.name);
  const unchanged = name.trim() === item.name ? t("reason.formUnchanged") : undefined;
  const { busy, change } = useChange(
    () => call(editAccessToken, { id: item.id, body: [replace("/name", name.trim())] }),
    { success: t("token.edited"), onDone: onClose },
  );
  return (
    <Dialog kind="edit" title={t("token.edit", { name: item.name })} onClose={onClose}>
      <Form blocked={unchanged} onSubmit={change}>
        <TextInput
          label={t("column.name")}
          value={name}
          error={name.trim() === "" ? t("message.required") : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          {...required}
          {...fieldHooks("name")}
        />
        <FormButtons verb={t("action.save")} busy={busy} blocked={unchanged} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

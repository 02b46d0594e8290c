import { Alert, Button, NumberInput, TextInput } from "@mantine/core";
import {
  type AccessTokenItem,
  accessTokenItem,
  longestLifetimeDays,
  shortestLifetimeDays,
} from "@packhouse/contract/access-tokens";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, replace } from "../api/client.ts";
import { formatDate } from "../language/i18n.ts";
import { useOwnUser, useServerConfiguration } from "../session/use-session.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormButtons } from "../ui/form-buttons.tsx";
import { useChange } from "../ui/use-change.ts";

const dayMs = 86_400_000;

/** Asks for a name and a lifetime, then shows the value: once, because nobody can show it again. */
export function CreateToken({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const server = useServerConfiguration();
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState<number>();
  const [touched, setTouched] = useState(false);
  const [created, setCreated] = useState<AccessTokenItem>();
  const days = lifetime ?? server?.accessTokenLifetimeDefault ?? 30;
  const configurable = server?.accessTokenLifetimeConfigurable ?? true;
  const lifetimeFits = Number.isInteger(days) && days >= shortestLifetimeDays && days <= longestLifetimeDays;
  const { busy, change } = useChange(async () => {
    const body = { name: name.trim(), lifetime: String(days) };
    setCreated((await api.post("/access-tokens", accessTokenItem, body)).data);
  });
  if (created?.value) return <Created token={created} value={created.value} onClose={onClose} />;
  return (
    <Dialog kind="create" title={t("token.create")} onClose={onClose}>
      <form
        className="ph-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTouched(true);
          if (name.trim() !== "" && lifetimeFits) change();
        }}
      >
        <TextInput
          label={t("column.name")}
          description={t("token.nameHint")}
          value={name}
          error={touched && name.trim() === "" ? t("message.required") : undefined}
          onBlur={() => setTouched(true)}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          data-testid="field-name"
        />
        <NumberInput
          label={t("token.lifetime")}
          description={
            configurable
              ? lifetimeFits &&
                t("token.expiresOn", { date: formatDate(new Date(Date.now() + days * dayMs).toISOString()) })
              : t("token.lifetimeFixed")
          }
          value={days}
          disabled={!configurable}
          allowDecimal={false}
          error={lifetimeFits ? undefined : t("token.lifetimeRange")}
          onChange={(value) => setLifetime(Number(value))}
          data-testid="field-lifetime"
        />
        <FormButtons verb={t("token.create")} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Created({ token, value, onClose }: { token: AccessTokenItem; value: string; onClose(): void }) {
  const { t } = useTranslation();
  const { login } = useOwnUser();
  return (
    <Dialog kind="created" title={t("token.created", { name: token.name })} onClose={onClose}>
      <Alert color="yellow" mb="md">
        {t("token.copyNow")}
      </Alert>
      <div className="ph-code" style={{ display: "flex", alignItems: "center", gap: 8 }}>
        <code style={{ overflowWrap: "anywhere", flex: 1 }} data-testid="token-value">
          {value}
        </code>
        <CopyButton text={value} />
      </div>
      <p className="ph-muted">{t("token.howTo", { login })}</p>
      <div className="ph-buttons">
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
  const unchanged = name.trim() === item.name;
  const { busy, change } = useChange(
    () => api.patch(`/access-tokens/${item.id}`, accessTokenItem, [replace("/name", name.trim())]),
    { success: t("token.edited"), onDone: onClose },
  );
  return (
    <Dialog kind="edit" title={t("token.edit", { name: item.name })} onClose={onClose}>
      <form
        className="ph-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "" && !unchanged) change();
        }}
      >
        <TextInput
          label={t("column.name")}
          value={name}
          error={name.trim() === "" ? t("message.required") : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          data-testid="field-name"
        />
        <FormButtons
          verb={t("action.save")}
          busy={busy}
          blocked={unchanged ? t("reason.formUnchanged") : undefined}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

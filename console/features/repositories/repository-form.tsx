import "./texts.ts";
import { isUsableAddress } from "@packhouse/contract/addresses";
import { longestName } from "@packhouse/contract/limits";
import { repositoryOf } from "@packhouse/contract/operations/repositories";
import "@mantine/core/styles/Alert.layer.css";
import { Alert, Select, Textarea, TextInput } from "@mantine/core";
import {
  type AnyRepositoryItem,
  type HashMethod,
  hashMethod,
  type RepositoryItem,
  repositoryList,
} from "@packhouse/contract/repositories";
import { type Technology, technology as technologyNames, technologyPath } from "@packhouse/contract/technology";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call, replace } from "../../api/client.ts";
import { serverAddress as apiServer, configuration } from "../../api/configuration.ts";
import { ApiFailure } from "../../api/failure.ts";
import { reasonsOf, reportFailure } from "../../calls/report-failure.tsx";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { technologies } from "../../technologies/technologies.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../ui/forms/checkbox.tsx";
import { fieldHooks, required } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import { toast } from "../../ui/toasts.tsx";
import { betterAddress, isDeprecatedAddress, withTechnology } from "./deprecated-address.ts";
import { HealthCheck } from "./health-check.tsx";
import { editRepository, readRepository } from "./repository-calls.ts";

/** The form's values, as they are typed. */
interface Values {
  name: string;
  publicationUri: string;
  serverAddress: string;
  technology: Technology | "";
  hashMethod: HashMethod;
  redirectToSource: boolean;
  requiresAuthentication: boolean;
  /** As typed, separated by commas; undefined where they cannot be set. */
  reservedNames?: string | undefined;
  /** As typed, one on each line; undefined where they cannot be set. */
  requiredChecks?: string | undefined;
}

const empty: Values = {
  name: "",
  publicationUri: "",
  serverAddress: "",
  technology: "",
  hashMethod: "SHA256",
  redirectToSource: false,
  requiresAuthentication: false,
};
const names = ["name", "publicationUri", "serverAddress"] as const;

/** The field that a refusal of the server refers to. */
const fieldOf: Record<string, (typeof names)[number] | "reservedNames" | "requiredChecks"> = {
  "repository.duplicate.name": "name",
  "invalid.repository.name": "name",
  "empty.name": "name",
  "name.too.long": "name",
  "repository.duplicate.publicationuri": "publicationUri",
  "empty.publicationuri": "publicationUri",
  "invalid.publicationuri": "publicationUri",
  "publicationuri.too.long": "publicationUri",
  "repository.duplicate.serveraddress": "serverAddress",
  "invalid.reserved.name": "reservedNames",
  "invalid.check.name": "requiredChecks",
  "empty.serveraddress": "serverAddress",
  "serveraddress.too.long": "serverAddress",
  "error.invalid.serveraddress": "serverAddress",
};

/** The server's reasons by field; undefined if some of them belong to no field. */
function refusedFields(error: unknown): Partial<Record<string, string>> | undefined {
  if (!(error instanceof ApiFailure) || error.status !== 422 || error.violations.length === 0) return undefined;
  const texts = reasonsOf(error);
  const entries = error.violations.map((code, index) => [fieldOf[code], texts[index]] as const);
  return entries.every(([field]) => field) ? Object.fromEntries(entries) : undefined;
}

export function CreateRepository({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog kind="create" title={t("repository.create")} onClose={onClose}>
      <RepositoryForm before={empty} onClose={onClose} verb={t("action.addRepository")} save={create} />
    </Dialog>
  );
}

export function EditRepository({ item, onClose }: { item: RepositoryItem; onClose(): void }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ["repository", item.technology, item.id, "edit"],
    queryFn: ({ signal }) => readRepository(item, signal),
    gcTime: 0,
  });
  return (
    <Dialog kind="edit" title={t("repository.edit", { name: item.name })} onClose={onClose}>
      {data && (
        <RepositoryForm
          before={valuesOf(data)}
          known={data}
          onClose={onClose}
          verb={t("action.save")}
          save={(values, before) => update(data, values, before)}
        />
      )}
    </Dialog>
  );
}

const valuesOf = (item: AnyRepositoryItem): Values => ({
  name: item.name,
  publicationUri: item.publicationUri,
  serverAddress: item.serverAddress,
  technology: item.technology,
  hashMethod: item.hashMethod ?? "SHA256",
  redirectToSource: item.redirectToSource ?? false,
  requiresAuthentication: item.requiresAuthentication,
  reservedNames: item.reservedNames?.join(", "),
  requiredChecks: item.requiredChecks?.join("\n"),
});

/** Fields that the technology does not have are not sent. */
function sent({ technology, hashMethod, redirectToSource, ...rest }: Values) {
  const own = ownSetting(technology);
  return own === undefined ? rest : { ...rest, [own]: { hashMethod, redirectToSource }[own] };
}

const ownSetting = (technology: Values["technology"]) =>
  technology === "" ? undefined : technologies[technology].repositorySetting;

async function create(values: Values): Promise<void> {
  // Names can only be reserved, and checks only be required, in an existing repository.
  const { reservedNames: _names, requiredChecks: _checks, ...body } = sent(values);
  if (values.technology !== "") await call(repositoryOf[values.technology].create, { body });
}

async function update(item: AnyRepositoryItem, values: Values, before: Values): Promise<void> {
  const old: Record<string, unknown> = sent(before);
  const changed = Object.entries(sent(values)).filter(([name, value]) => value !== old[name]);
  await editRepository(
    item,
    changed.map(([name, value]) => replace(`/${name}`, lists[name]?.(values) ?? value)),
  );
}

/** Fields that are typed as text and sent as a list. Names of checks contain spaces, such as `R CMD check`. */
const lists: Record<string, (values: Values) => string[]> = {
  reservedNames: ({ reservedNames = "" }) => reservedNames.split(/[\s,]+/).filter((name) => name !== ""),
  requiredChecks: ({ requiredChecks = "" }) => [
    ...new Set(
      requiredChecks
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    ),
  ],
};

/** Checked against a pattern from the server, which some servers let their administrators configure. */
function isUsableName(pattern: string, name: string): boolean {
  // bounded expression: at most 255 characters, typed by the waiting user, are tried
  return name.length <= longestName && new RegExp(`^(?:${pattern})$`).test(name);
}

/** Where a repository with this name is published by default. */
function publishedAt(name: string): string {
  const { repositoryServer, urlPrefix } = configuration();
  const base = repositoryServer || `${apiServer() || window.location.origin}${urlPrefix}repo/`;
  return name === "" ? "" : `${base.replace(/\/?$/, "/")}${encodeURIComponent(name)}`;
}

/** The addresses that the form offers: those that it would not warn about. */
function offeredAddresses({ name, technology }: Pick<Values, "name" | "technology">) {
  const address = publishedAt(name);
  const warns = configuration().deprecatedAddressWarning && technology !== "";
  return { publicationUri: address, serverAddress: warns ? withTechnology(address, technology) : address };
}

interface FormProps {
  before: Values;
  known?: AnyRepositoryItem;
  verb: string;
  save(values: Values, before: Values): Promise<void>;
  onClose(): void;
}

function RepositoryForm({ before: current, known, verb, save, onClose }: FormProps) {
  const { t } = useTranslation();
  // If the repository is loaded again, fields that others have changed since are not this user's changes.
  const [before] = useState(current);
  const queries = useQueryClient();
  const patterns = useServerConfiguration()?.repositoryNameValidationRegex;
  const [values, setValues] = useState(before);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  /** The server's reasons for values that have not been changed since. */
  const [refused, setRefused] = useState<Partial<Record<string, string>>>({});
  const isAdmin = useOwnUser().role === "admin";
  const taken = useNameTaken(values.name, known?.id);
  const set = (change: Partial<Values>) => {
    setRefused((old) => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in change))));
    setValues((old) => ({ ...old, ...change }));
  };

  // Until the user enters another address, the form suggests where the repository would be published.
  const setAndOffer = (change: Partial<Pick<Values, "name" | "technology">>) => {
    const before = offeredAddresses(values);
    const next = offeredAddresses({ ...values, ...change });
    const follows = (name: keyof typeof next) => !known && (values[name] === "" || values[name] === before[name]);
    set({
      ...change,
      ...(follows("publicationUri") ? { publicationUri: next.publicationUri } : {}),
      ...(follows("serverAddress") ? { serverAddress: next.serverAddress } : {}),
    });
  };

  const pattern =
    values.technology === "" ? patterns?.general : patterns?.technology[technologyPath[values.technology]];
  const problems: Partial<Record<string, string>> = {};
  if (values.name === "") problems.name = t("message.required");
  else if (pattern && !isUsableName(pattern, values.name)) problems.name = t("repository.namePattern");
  else if (taken) problems.name = taken === "deleted" ? t("repository.nameTakenInTrash") : t("repository.nameTaken");
  for (const name of ["publicationUri", "serverAddress"] as const) {
    if (values[name] === "") problems[name] = t("message.required");
    else if (values[name] !== before[name] && !isUsableAddress(values[name])) problems[name] = t("message.url");
  }
  if (values.technology === "") problems.technology = t("message.required");

  const invalid = Object.keys(problems).length > 0;
  const unchanged = JSON.stringify(values) === JSON.stringify(before);
  const reason = invalid ? t("reason.formInvalid") : unchanged ? t("reason.formUnchanged") : undefined;
  const moved = known && names.some((name) => values[name] !== before[name]);
  const errorOf = (name: string) => refused[name] ?? (touched.has(name) ? problems[name] : undefined);
  const touch = (name: string) => setTouched((old) => new Set(old).add(name));

  const showErrors = () => {
    setRefused({});
    setTouched(new Set([...names, "technology"]));
    if (invalid) toast.error(t("message.formInvalid"));
  };
  const submit = async () => {
    setBusy(true);
    try {
      await save(values, before);
      toast.success(t(known ? "done.save" : "done.create", { name: values.name }));
      await Promise.all(["list", "repository"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onClose();
    } catch (error) {
      const fields = refusedFields(error);
      if (fields) setRefused(fields);
      else reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const own = ownSetting(values.technology);
  const textField = (name: (typeof names)[number], label: string) => (
    <TextInput
      label={label}
      value={values[name]}
      error={errorOf(name)}
      onBlur={() => touch(name)}
      onChange={(event) =>
        name === "name" ? setAndOffer({ name: event.currentTarget.value }) : set({ [name]: event.currentTarget.value })
      }
      {...(name === "serverAddress"
        ? {
            rightSection: <HealthCheck key={values.serverAddress} address={values.serverAddress} />,
            rightSectionWidth: 40,
          }
        : {})}
      {...required}
      // The technology comes first and cannot be changed.
      data-autofocus={(known && name === "name") || undefined}
      {...fieldHooks(name)}
    />
  );
  return (
    <Form onAttempt={showErrors} blocked={reason} onSubmit={submit}>
      <Select
        label={t("repository.technology")}
        data={technologyNames.options}
        value={values.technology === "" ? null : values.technology}
        {...(known ? { readOnly: true, description: t("repository.technologyFixed") } : {})}
        allowDeselect={false}
        error={errorOf("technology")}
        onChange={(value) => setAndOffer({ technology: technologyNames.safeParse(value).data ?? "" })}
        {...required}
        {...fieldHooks("technology")}
      />
      {textField("name", t("repository.name"))}
      {textField("publicationUri", t("repository.publicationUri"))}
      {textField("serverAddress", t("repository.serverAddress"))}
      {own === "hashMethod" && (
        <Select
          label={t("repository.hashMethod")}
          data={hashMethod.options}
          value={values.hashMethod}
          allowDeselect={false}
          onChange={(value) => set({ hashMethod: value ?? "SHA256" })}
          {...fieldHooks("hashMethod")}
        />
      )}
      {own === "redirectToSource" && (
        <Checkbox
          label={t("repository.redirectToSource")}
          checked={values.redirectToSource}
          onChange={(redirectToSource) => set({ redirectToSource })}
          data-testid="field-redirectToSource"
        />
      )}
      <Checkbox
        label={t("repository.requiresAuthentication")}
        checked={values.requiresAuthentication}
        onChange={(requiresAuthentication) => set({ requiresAuthentication })}
        data-testid="field-requiresAuthentication"
      />
      {isAdmin && values.reservedNames !== undefined && (
        <TextInput
          label={t("repository.reservedNames")}
          description={t("repository.reservedNamesHint")}
          value={values.reservedNames}
          error={errorOf("reservedNames")}
          onChange={(event) => set({ reservedNames: event.currentTarget.value })}
          {...fieldHooks("reservedNames")}
        />
      )}
      {values.requiredChecks !== undefined && (
        <Textarea
          label={t("repository.requiredChecks")}
          description={t("repository.requiredChecksHint")}
          autosize
          minRows={1}
          maxRows={8}
          value={values.requiredChecks}
          error={errorOf("requiredChecks")}
          onChange={(event) => set({ requiredChecks: event.currentTarget.value })}
          {...fieldHooks("requiredChecks")}
        />
      )}
      {configuration().deprecatedAddressWarning &&
        values.technology !== "" &&
        (!known || isAdmin) &&
        isDeprecatedAddress(values.serverAddress) && (
          <Alert color="orange" data-testid="deprecated-hint">
            {t("repository.deprecatedAddressHint", {
              address: betterAddress(values.serverAddress, values.technology, configuration().repositoryServer),
            })}
          </Alert>
        )}
      {moved && <Alert color="orange">{t("repository.addressChange")}</Alert>}
      <FormButtons verb={verb} busy={busy} blocked={reason} onClose={onClose} />
    </Form>
  );
}

/** Whether another repository has this name, and whether it was deleted. */
function useNameTaken(name: string, ownId: number | undefined): "live" | "deleted" | undefined {
  const { data } = useQuery({
    queryKey: ["repository-name", name],
    enabled: name !== "",
    queryFn: async ({ signal }) => {
      const find = async (deleted: boolean) =>
        (await api.list(repositoryList, { name, deleted: String(deleted) }, signal)).content[0];
      return { live: await find(false), deleted: await find(true).catch(() => undefined) }; // only administrators see deleted ones
    },
    meta: { shownInPlace: true },
  });
  if (data?.live && data.live.id !== ownId) return "live";
  return data?.deleted && data.deleted.id !== ownId ? "deleted" : undefined;
}

import { Checkbox, Popover, Switch, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { hasRole } from "@packhouse/contract/roles";
import { IconChevronDown, IconFilter, IconFilterOff, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FilterField, ListContext } from "./define-list.ts";

const searchDelayMs = 300;
const mostShownValues = 2;

interface FilterBarProps {
  fields: Record<string, FilterField | undefined>;
  values: Record<string, string>;
  defaults: Record<string, string>;
  changed: boolean;
  context: ListContext;
  onChange(values: Record<string, string>): void;
  onReset(): void;
}

export function FilterBar({ fields, values, defaults, changed, context, onChange, onReset }: FilterBarProps) {
  const { t } = useTranslation();
  const [folded, setFolded] = useState(true);
  const shown = Object.entries(fields).flatMap(([name, field]) =>
    field && (!field.role || hasRole(context.user.role, field.role)) ? [[name, field] as const] : [],
  );
  const set = (name: string, value: string) => onChange({ ...values, [name]: value });
  return (
    <div className="ph-filters" data-folded={folded || undefined}>
      {shown.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          field={field}
          value={values[name] ?? ""}
          standard={defaults[name] ?? ""}
          context={context}
          onChange={(value) => set(name, value)}
        />
      ))}
      <button
        type="button"
        className="ph-pill ph-narrow-only ph-filters-toggle"
        aria-expanded={!folded}
        onClick={() => setFolded(!folded)}
      >
        <IconFilter size={16} aria-hidden /> {t("filter.filters")}
      </button>
      <span className="ph-spring" />
      <button
        type="button"
        className="ph-pill"
        style={{ visibility: changed ? "visible" : "hidden", borderColor: "transparent" }}
        hidden={!changed}
        data-testid="filter-reset"
        onClick={onReset}
      >
        <IconFilterOff size={16} aria-hidden /> {t("filter.reset")}
      </button>
    </div>
  );
}

interface FieldProps {
  name: string;
  field: FilterField;
  value: string;
  standard: string;
  context: ListContext;
  onChange(value: string): void;
}

function Field(props: FieldProps) {
  const { t } = useTranslation();
  const { name, field, value, onChange } = props;
  const testId = `filter-${field.testId ?? name}`;
  const label = t(field.label as never);
  switch (field.kind) {
    case "search":
      return (
        <SearchField
          key={value === "" ? "empty" : "filled"}
          label={label}
          testId={testId}
          value={value}
          onChange={onChange}
        />
      );
    case "choices":
      return (
        <Choices
          {...props}
          label={label}
          testId={testId}
          options={field.options}
          optionLabel={(option) => field.optionLabel?.(t, option) ?? option}
        />
      );
    case "picker":
      return <Picker {...props} label={label} testId={testId} load={field.options} />;
    case "triState":
      return <TriState {...props} label={label} testId={testId} />;
    case "switch":
      return (
        <Switch
          size="xs"
          label={label}
          checked={value === "true"}
          onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
          data-testid={testId}
        />
      );
    case "date":
      return (
        <TextInput
          type="date"
          size="sm"
          aria-label={label}
          leftSection={<span className="ph-muted">{label}</span>}
          leftSectionWidth={44}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          data-testid={testId}
        />
      );
  }
}

/** Applied a moment after the last key; cleared at once by Reset, which gives it a new key. */
function SearchField({
  label,
  testId,
  value,
  onChange,
}: {
  label: string;
  testId: string;
  value: string;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback(onChange, searchDelayMs);
  return (
    <TextInput
      className="ph-filter-search"
      size="sm"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      data-testid={testId}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value.trim());
      }}
    />
  );
}

interface ChoicesProps {
  label: string;
  testId: string;
  value: string;
  options: readonly string[];
  optionLabel(option: string): string;
  onChange(value: string): void;
  children?: React.ReactNode;
}

/** Several values; the pill carries them as chips once they are chosen. */
function Choices({ label, testId, value, options, optionLabel, onChange, children }: ChoicesProps) {
  const { t } = useTranslation();
  const chosen = value === "" || value === "any" ? [] : value.split(",");
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]).join(","));
  const offered = [...new Set([...chosen, ...options])];
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="ph-pill" data-applied={chosen.length > 0 || undefined} data-testid={testId}>
          {label}
          {chosen.slice(0, mostShownValues).map((option) => (
            <span key={option} className="ph-value">
              {optionLabel(option)}
            </span>
          ))}
          {chosen.length > mostShownValues && <span className="ph-value">{`+${chosen.length - mostShownValues}`}</span>}
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown
        style={{ display: "grid", gap: 10, minWidth: 200, maxHeight: 320, overflow: "auto" }}
        aria-label={label}
      >
        {children}
        {offered.map((option) => (
          <Checkbox
            key={option}
            label={optionLabel(option)}
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
            data-testid={`option-${option}`}
          />
        ))}
        {offered.length === 0 && <span className="ph-muted">{t("list.empty")}</span>}
        {chosen.length > 0 && (
          <button type="button" className="ph-link-button" onClick={() => onChange("")}>
            {t("filter.clear")}
          </button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Choices that the server searches. */
function Picker({
  label,
  testId,
  value,
  name,
  load,
  onChange,
}: FieldProps & { label: string; testId: string; load: (search: string, signal: AbortSignal) => Promise<string[]> }) {
  const [search, setSearch] = useState("");
  const find = useDebouncedCallback(setSearch, searchDelayMs);
  const { data = [] } = useQuery({
    queryKey: ["options", name, search],
    queryFn: ({ signal }) => load(search, signal),
    staleTime: 30_000,
  });
  return (
    <Choices
      label={label}
      testId={testId}
      value={value}
      options={data}
      optionLabel={(option) => option}
      onChange={onChange}
    >
      <TextInput
        size="xs"
        type="search"
        aria-label={label}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => find(event.currentTarget.value)}
      />
    </Choices>
  );
}

function TriState({ label, testId, value, standard, onChange }: FieldProps & { label: string; testId: string }) {
  const { t } = useTranslation();
  const current = value === "true" || value === "false" ? value : "any";
  const options = [
    ["any", "any", t("filter.any")],
    ["true", "yes", t("filter.yes")],
    ["false", "no", t("filter.no")],
  ] as const;
  return (
    <fieldset
      className="ph-tri"
      aria-label={label}
      data-applied={current !== (standard || "any") || undefined}
      data-testid={testId}
    >
      <span>{label}</span>
      <span className="ph-tri-options">
        {options.map(([option, hook, word]) => (
          <button
            key={option}
            type="button"
            aria-pressed={current === option}
            data-testid={`${testId}-${hook}`}
            onClick={() => onChange(option === "any" && standard === "" ? "" : option)}
          >
            {word}
          </button>
        ))}
      </span>
    </fieldset>
  );
}

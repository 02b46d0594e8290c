import { Input, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconChevronDown, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFailure } from "../../api/load-failure.ts";
import type { FindOptions } from "../../api/options.ts";
import { compareTexts } from "../../language/i18n.ts";
import { Checkbox } from "../../ui/forms/checkbox.tsx";
import { useOptionPages } from "../../ui/forms/use-option-pages.ts";
import { useTypedSearch } from "../../ui/forms/use-typed-search.ts";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import { Popup, usePopup } from "../../ui/popups/use-popup.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import textStyles from "../../ui/styles/text.module.css";
import type { FilterField } from "../define-list.ts";
import { differs } from "../list-address.ts";
import filtersStyles from "./filters.module.css";

const DateField = lazyWithRetry(() => import("./date-field.tsx").then((it) => it.DateField));

const pickerDelayMs = 500;
const mostShownValues = 2;

interface FilterControlProps {
  name: string;
  field: FilterField;
  value: string;
  standard: string;
  /** Both ends of the range, if it is one. */
  dates: readonly [from: string, to: string];
  onChange(value: string): void;
}

/** One field of a filter bar; every change applies immediately. */
export function FilterControl({ name, field, value, standard, dates, onChange }: FilterControlProps) {
  const { t } = useTranslation();
  const testId = `filter-${field.testId ?? name}`;
  const label = t(field.label);
  const common = { label, testId, value, standard, onChange };
  switch (field.kind) {
    case "search":
      return <SearchField {...common} />;
    case "choices":
      return (
        <Choices
          {...common}
          options={field.options}
          inOrderOf={field.optionText ? compareTexts : undefined}
          optionLabel={(option) => {
            const text = field.optionText?.(option);
            return text ? t(text) : option;
          }}
        />
      );
    case "picker":
      return <Picker {...common} name={name} load={field.options} />;
    case "triState":
      return <TriState {...common} words={field.words} />;
    case "switch":
      return (
        <Checkbox
          label={label}
          checked={value === "true"}
          onChange={(checked) => onChange(checked ? "true" : "")}
          data-testid={testId}
        />
      );
    case "date":
      return (
        <Suspense fallback={<TextInput aria-label={label} className={filtersStyles.date} readOnly />}>
          <DateField
            {...common}
            latest={field.end === "from" ? dates[1] : ""}
            earliest={field.end === "to" ? dates[0] : ""}
          />
        </Suspense>
      );
  }
}

export interface ControlProps {
  label: string;
  testId: string;
  value: string;
  standard: string;
  onChange(value: string): void;
}

function SearchField({ label, testId, value, onChange }: ControlProps) {
  const [text, type] = useTypedSearch(value, onChange);
  return (
    <Input
      className={filtersStyles.search}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      data-testid={testId}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface ChoicesProps extends ControlProps {
  options: readonly string[];
  optionLabel(option: string): string;
  /** How options are ordered by their labels; by default they keep their order, behind the selected ones. */
  inOrderOf?: ((label: string, other: string) => number) | undefined;
  onOpen?: () => void;
  /** Shown above the options and after them. */
  children?: ReactNode;
  end?: ReactNode;
  /** Shown in place of the sentence that there are none. */
  note?: ReactNode;
}

/** Several values; selected ones are shown in the field as chips that can be removed. */
function Choices({
  label,
  testId,
  value,
  standard,
  options,
  optionLabel,
  inOrderOf,
  onChange,
  onOpen,
  children,
  end,
  note,
}: ChoicesProps) {
  const { t } = useTranslation();
  const { button, state } = usePopup("dialog", onOpen ? { onOpen } : {});
  const chosen = value === "" || value === "any" ? [] : value.split(",");
  const toggle = (option: string) =>
    onChange((chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]).join(","));
  return (
    <>
      <div className={pillStyles.pill} data-applied={differs(value, standard) || undefined}>
        <button type="button" className={filtersStyles.opener} data-testid={testId} {...button}>
          {label}
          {chosen.length === 0 && <IconChevronDown size={14} aria-hidden />}
        </button>
        {chosen.slice(0, mostShownValues).map((option) => (
          <span key={option} className={filtersStyles.value}>
            <span className={filtersStyles.valueText}>{optionLabel(option)}</span>
            <button
              type="button"
              aria-label={`${t("filter.remove")} ${optionLabel(option)}`}
              onClick={() => toggle(option)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </span>
        ))}
        {chosen.length > mostShownValues && (
          <span className={filtersStyles.value}>{`+${chosen.length - mostShownValues}`}</span>
        )}
      </div>
      <Suspense>
        {state && (
          <Popup state={state} label={label} position="bottom-start" className={filtersStyles.options}>
            {children}
            <Options {...{ chosen, options, optionLabel, inOrderOf, toggle, note }} />
            {end}
            {chosen.length > 0 && (
              <button type="button" className={buttonStyles.linkButton} onClick={() => onChange("")}>
                {t("filter.clear")}
              </button>
            )}
          </Popup>
        )}
      </Suspense>
    </>
  );
}

interface OptionsProps extends Pick<ChoicesProps, "options" | "optionLabel" | "inOrderOf" | "note"> {
  chosen: readonly string[];
  toggle(option: string): void;
}

/** Only rendered in an open list: the first comparison of texts costs slow devices a tenth of a second. */
function Options({ chosen, options, optionLabel, inOrderOf, toggle, note }: OptionsProps) {
  const { t } = useTranslation();
  const offered = [...new Set([...chosen, ...options])];
  if (inOrderOf) offered.sort((a, b) => inOrderOf(optionLabel(a), optionLabel(b)));
  return (
    <>
      {offered.map((option) => (
        <Checkbox
          key={option}
          label={optionLabel(option)}
          checked={chosen.includes(option)}
          onChange={() => toggle(option)}
          data-testid={`option-${option}`}
        />
      ))}
      {note ?? (offered.length === 0 && <span className={textStyles.muted}>{t("list.empty")}</span>)}
    </>
  );
}

interface PickerProps extends ControlProps {
  name: string;
  load: FindOptions<string>;
}

/** Choices that the server searches; loaded when the list is opened. */
function Picker({ name, load, ...control }: PickerProps) {
  const [opened, setOpened] = useState(false);
  const [search, setSearch] = useState("");
  const find = useDebouncedCallback(setSearch, pickerDelayMs);
  const { t } = useTranslation();
  const { options, isFetching, error, retry, hasMore, loadMore } = useOptionPages([name], load, (option) => option, {
    search,
    enabled: opened,
  });
  const note = error ? (
    <span className={textStyles.muted} role="alert">
      {loadFailure(error, t).sentence}{" "}
      <button type="button" className={buttonStyles.linkButton} onClick={retry}>
        {t("action.retry")}
      </button>
    </span>
  ) : isFetching && options.length === 0 ? (
    <span className={textStyles.muted}>{t("list.loading")}</span>
  ) : undefined;
  return (
    <Choices
      {...control}
      options={options}
      optionLabel={(option) => option}
      onOpen={() => setOpened(true)}
      end={hasMore && !error && <End onSeen={loadMore} />}
      note={note}
    >
      <TextInput
        size="xs"
        type="search"
        aria-label={control.label}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => find(event.currentTarget.value)}
      />
    </Choices>
  );
}

/** The end of an incomplete list: when it becomes visible, the next options are loaded. */
function End({ onSeen }: { onSeen(): void }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!mark.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onSeen();
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return (
    <span ref={mark} className={textStyles.muted} aria-hidden>
      …
    </span>
  );
}

interface TriStateProps extends ControlProps {
  words: Extract<FilterField, { kind: "triState" }>["words"];
}

function TriState({ label, testId, value, standard, words, onChange }: TriStateProps) {
  const { t } = useTranslation();
  const current = value === "true" || value === "false" ? value : "any";
  const options = [
    ["any", "any", t("filter.any")],
    ["true", "yes", t(words?.true ?? "filter.yes")],
    ["false", "no", t(words?.false ?? "filter.no")],
  ] as const;
  return (
    <fieldset
      className={filtersStyles.tri}
      aria-label={label}
      data-applied={current !== (standard || "any") || undefined}
      data-testid={testId}
    >
      <span>{label}</span>
      <span className={filtersStyles.triOptions}>
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

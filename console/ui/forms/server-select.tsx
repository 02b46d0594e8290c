import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFailure } from "../../api/load-failure.ts";
import type { FindOptions } from "../../api/options.ts";
import textStyles from "../styles/text.module.css";
import { clearButton } from "./clear-button.ts";
import { fieldHooks, required } from "./field-hooks.ts";
import { useOptionPages } from "./use-option-pages.ts";

const searchDelayMs = 500;

/** One option; with a reason, it is shown but disabled. */
export interface Option {
  value: string;
  label: string;
  /** Below the label: who already has it, its technology. */
  hint?: string;
  disabled?: boolean;
}

interface ServerSelectProps {
  /** Wire name of the field. */
  name: string;
  label: string;
  /** Distinguishes its cached options from others. */
  source: readonly unknown[];
  load: FindOptions<Option>;
  value: Option | undefined;
  onChange(option: Option | undefined): void;
  disabled?: boolean;
  description?: string;
  /** Shown when nothing matches what is typed. */
  nothingFound?: string;
  error?: string | undefined;
}

/** A required select whose options the server finds while the user types. */
export function ServerSelect({
  name,
  label,
  source,
  load,
  value,
  onChange,
  nothingFound,
  ...others
}: ServerSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [sought] = useDebouncedValue(search === value?.label ? "" : search, searchDelayMs);
  const {
    options: found,
    isFetching,
    error,
    retry,
    hasMore,
    loadMore,
  } = useOptionPages(source, load, ({ value }) => value, {
    search: sought,
    enabled: !others.disabled,
  });
  // The selected value stays an option, whatever the search.
  const options = value && !found.some((option) => option.value === value.value) ? [value, ...found] : found;
  return (
    <Select
      label={label}
      data={options.map(({ value, label, disabled = false }) => ({ value, label, disabled }))}
      value={value?.value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen))}
      searchable
      // Only a click or a key opens it: a dialog that starts in it should show its other fields, too.
      openOnFocus={false}
      clearable
      clearButtonProps={clearButton(`${t("filter.clear")}: ${label}`)}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      scrollAreaProps={{ onBottomReached: loadMore }}
      rightSection={isFetching ? <Loader size={14} /> : hasMore ? <span aria-hidden>…</span> : undefined}
      nothingFoundMessage={
        isFetching ? t("list.loading") : error ? loadFailure(error, t).sentence : (nothingFound ?? t("list.empty"))
      }
      onDropdownOpen={() => {
        if (error) retry();
      }}
      renderOption={({ option }) => {
        const hint = options.find(({ value }) => value === option.value)?.hint;
        return (
          <span>
            {option.label}
            {hint && (
              <span className={textStyles.second} style={{ display: "block" }}>
                {hint}
              </span>
            )}
          </span>
        );
      }}
      {...others}
      {...required}
      {...fieldHooks(name)}
    />
  );
}

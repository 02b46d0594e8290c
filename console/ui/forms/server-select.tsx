import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FindOptions } from "../../api/options.ts";
import textStyles from "../styles/text.module.css";
import { fieldHooks } from "./field-hooks.ts";
import { useOptionPages } from "./use-option-pages.ts";

const searchDelayMs = 500;

/** One thing that can be chosen; with a reason it is shown and cannot be. */
export interface Option {
  value: string;
  label: string;
  /** Under the label: who has it already, of which technology it is. */
  hint?: string;
  disabled?: boolean;
}

interface ServerSelectProps {
  /** Wire name of the field. */
  name: string;
  label: string;
  /** Tells what is loaded from what is loaded elsewhere. */
  source: readonly unknown[];
  load: FindOptions<Option>;
  value: Option | undefined;
  onChange(option: Option | undefined): void;
  disabled?: boolean;
  description?: string;
  /** Said when nothing fits what is typed. */
  nothingFound?: string;
  error?: string | undefined;
}

/** A select whose options the server finds while somebody types. */
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
    hasMore,
    loadMore,
  } = useOptionPages(source, load, ({ value }) => value, {
    search: sought,
    enabled: !others.disabled,
  });
  // What was chosen stays an option, whatever is looked for now.
  const options = value && !found.some((option) => option.value === value.value) ? [value, ...found] : found;
  return (
    <Select
      label={label}
      data={options.map(({ value, label, disabled = false }) => ({ value, label, disabled }))}
      value={value?.value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen))}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      scrollAreaProps={{ onBottomReached: loadMore }}
      rightSection={isFetching ? <Loader size={14} /> : hasMore ? <span aria-hidden>…</span> : undefined}
      nothingFoundMessage={isFetching ? t("list.loading") : (nothingFound ?? t("list.empty"))}
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
      {...fieldHooks(name)}
    />
  );
}

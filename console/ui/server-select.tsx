import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const searchDelayMs = 300;

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
  load(search: string, signal: AbortSignal): Promise<Option[]>;
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
  const { data = [], isFetching } = useQuery({
    queryKey: ["options", ...source, sought],
    queryFn: ({ signal }) => load(sought, signal),
    enabled: !others.disabled,
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  // What was chosen stays an option, whatever is looked for now.
  const options = value && !data.some((option) => option.value === value.value) ? [value, ...data] : data;
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
      nothingFoundMessage={isFetching ? t("list.loading") : (nothingFound ?? t("list.empty"))}
      renderOption={({ option }) => {
        const hint = options.find(({ value }) => value === option.value)?.hint;
        return (
          <span>
            {option.label}
            {hint && (
              <span className="ph-second" style={{ display: "block" }}>
                {hint}
              </span>
            )}
          </span>
        );
      }}
      {...others}
      data-testid={`field-${name}`}
    />
  );
}

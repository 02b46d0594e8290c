import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type RepositoryItem, repositoryList } from "@packhouse/contract/repositories";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import cardStyles from "../../ui/display/card.module.css";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import { BlockableButton } from "../../ui/forms/blockable-button.tsx";
import { clearButton } from "../../ui/forms/clear-button.ts";
import { fieldHooks, required } from "../../ui/forms/field-hooks.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import formStyles from "../../ui/styles/form.module.css";
import textStyles from "../../ui/styles/text.module.css";

const searchDelayMs = 500;
const mostOptions = 50;

interface ChooseRepositoryProps {
  chosen: RepositoryItem | undefined;
  /** The repository of the last upload. */
  last: string | undefined;
  onChoose(repository: RepositoryItem | undefined): void;
  onChooseLast(): void;
  onContinue(): void;
}

export function ChooseRepository({ chosen, last, onChoose, onChooseLast, onContinue }: ChooseRepositoryProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [debouncedSearch] = useDebouncedValue(search, searchDelayMs);
  const { data, isFetching } = useQuery({
    queryKey: ["upload-repositories", debouncedSearch],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        size: String(mostOptions),
        sort: "name,asc",
        ...(debouncedSearch && debouncedSearch !== chosen?.name ? { search: debouncedSearch } : {}),
      });
      return api.list(repositoryList, query.toString(), signal);
    },
    placeholderData: keepPreviousData,
  });
  const found = data?.content ?? [];
  const repositories = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <div className={`${cardStyles.card} ${formStyles.form}`} style={{ maxWidth: 560 }}>
      <Select
        label={t("column.repository")}
        data={repositories.map(({ name }) => name)}
        value={chosen?.name ?? null}
        searchable
        clearable
        clearButtonProps={clearButton(t("filter.clear"))}
        nothingFoundMessage={t("list.empty")}
        rightSection={isFetching ? <Loader size={14} /> : undefined}
        onSearchChange={(text) => {
          setSearch(text);
          // Typing is the beginning of a choice.
          if (!chosen && text !== "") onChoose(undefined);
        }}
        onChange={(name) => onChoose(repositories.find((repository) => repository.name === name))}
        renderOption={({ option }) => {
          const repository = repositories.find(({ name }) => name === option.value);
          return (
            <span style={{ display: "flex", alignItems: "center", gap: 10 }} data-testid={`option-${option.value}`}>
              {repository && <TechnologyTile technology={repository.technology} />}
              <span className={textStyles.mono}>{option.label}</span>
            </span>
          );
        }}
        {...required}
        {...fieldHooks("repository")}
      />
      <div className={formStyles.buttons}>
        {last && last !== chosen?.name && (
          <Link
            to="/upload-packages"
            search={{ repository: last }}
            onClick={onChooseLast}
            className={buttonStyles.button}
            style={{ marginRight: "auto" }}
            data-testid="upload-again"
          >
            {t("upload.again", { name: last })}
          </Link>
        )}
        <BlockableButton
          blocked={chosen ? undefined : t("upload.needRepository")}
          onClick={onContinue}
          data-testid="wizard-continue"
        >
          {t("action.continue")}
        </BlockableButton>
      </div>
    </div>
  );
}

import { reviewLevel } from "@packhouse/contract/review/release";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { repositoryNames } from "../../../api/options.ts";
import { FilterControl } from "../../../list/screen/filter-control.tsx";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { useTypedSearch } from "../../../ui/forms/use-typed-search.ts";
import { type QueueAddress, queueAddress } from "../data/address.ts";
import styles from "./queue-filter.module.css";

const levels = reviewLevel.options.toReversed();

const repositoryField = { kind: "picker", label: "filter.repository", options: repositoryNames } as const;

interface QueueFilterProps {
  address: QueueAddress;
  onAddress(address: QueueAddress): void;
}

export function QueueFilter({ address, onAddress }: QueueFilterProps) {
  const { t } = useTranslation();
  const change = (part: Record<string, string | undefined>) => onAddress(queueAddress.parse({ ...address, ...part }));
  const chosen = (text: string) => (text === "" ? undefined : text);
  return (
    <search className={styles.filter} aria-label={t("review.filter")}>
      <TextFilter
        label={t("filter.search")}
        value={address.search}
        onText={(text) => change({ search: chosen(text) })}
      />
      <FilterControl
        name="repository"
        field={repositoryField}
        value={address.repository ?? ""}
        standard=""
        dates={["", ""]}
        onChange={(names) => change({ repository: chosen(names) })}
      />
      <select
        aria-label={t("filter.technology")}
        value={address.technology ?? ""}
        onChange={(event) => change({ technology: chosen(event.currentTarget.value) })}
      >
        <option value="">{t("review.anyTechnology")}</option>
        {technology.options.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <select
        aria-label={t("review.signals")}
        value={address.level ?? ""}
        onChange={(event) => change({ level: chosen(event.currentTarget.value) })}
        data-testid="review-level"
      >
        <option value="">{t("review.anyLevel")}</option>
        {levels.map((level) => (
          <option key={level} value={level}>
            {t(`review.level.${level}`)}
          </option>
        ))}
      </select>
      <CheckboxFilter
        label={t("review.onlyMine")}
        on={!address.all && !address.changesAsked}
        onSwitch={(on) => change({ all: on ? undefined : "true", changesAsked: undefined })}
      />
      <CheckboxFilter
        label={t("review.onlyChangesAsked")}
        on={address.changesAsked === "true"}
        onSwitch={(on) => change({ changesAsked: on ? "true" : undefined })}
      />
      <CheckboxFilter
        label={t("review.onlyAssignedToMe")}
        on={address.assignedToMe === "true"}
        onSwitch={(on) => change({ assignedToMe: on ? "true" : undefined })}
      />
    </search>
  );
}

interface CheckboxFilterProps {
  label: string;
  on: boolean;
  onSwitch(on: boolean): void;
}

const CheckboxFilter = ({ label, on, onSwitch }: CheckboxFilterProps) => (
  <div className={styles.box}>
    <Checkbox label={label} checked={on} onChange={onSwitch} />
  </div>
);

interface TextFilterProps {
  label: string;
  value: string | undefined;
  onText(text: string): void;
}

function TextFilter({ label, value, onText }: TextFilterProps) {
  const [text, type] = useTypedSearch(value ?? "", onText);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

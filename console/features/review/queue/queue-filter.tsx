import { reviewLevel } from "@packhouse/contract/review/release";
import { technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { useTypedSearch } from "../../../ui/forms/use-typed-search.ts";
import { type QueueAddress, queueAddress } from "../data/address.ts";
import styles from "./queue-filter.module.css";

const levels = reviewLevel.options.toReversed();

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
      <TextFilter
        label={t("filter.repository")}
        value={address.repository}
        onText={(text) => change({ repository: chosen(text) })}
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
      <label>
        <input
          type="checkbox"
          checked={!address.all && !address.changesAsked}
          onChange={(event) =>
            change({ all: event.currentTarget.checked ? undefined : "true", changesAsked: undefined })
          }
        />
        {t("review.onlyMine")}
      </label>
      <label>
        <input
          type="checkbox"
          checked={address.changesAsked === "true"}
          onChange={(event) => change({ changesAsked: event.currentTarget.checked ? "true" : undefined })}
        />
        {t("review.onlyChangesAsked")}
      </label>
    </search>
  );
}

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

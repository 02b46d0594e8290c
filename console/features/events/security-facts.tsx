import type { EventItem } from "@packhouse/contract/events";
import { IconMapPin } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Zone } from "../../list/list-address.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import chipStyles from "../../ui/styles/chip.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { clockAt } from "./event-times.ts";
import { securitySentence } from "./security-sentence.ts";
import timelineStyles from "./timeline.module.css";

/** A security event in one sentence, with its origin and how often it happened within its hour. */
export function SecurityFacts({ event, name, zone }: { event: EventItem; name: string; zone: Zone }) {
  const { t } = useTranslation();
  const sentence = securitySentence(event, t, name);
  if (sentence === undefined) return null;
  const { address, count = 1, lastTime } = event;
  return (
    <div className={timelineStyles.facts}>
      <p>{sentence}</p>
      {address !== undefined && (
        <span className={textStyles.word}>
          <IconMapPin size={14} stroke={2} aria-hidden />
          <span className={visibilityStyles.hidden}>{t("event.address")}</span>
          <span className={textStyles.mono}>{address}</span>
          <CopyButton text={address} label={`${t("action.copy")} ${address}`} />
        </span>
      )}
      {count > 1 && (
        <span className={chipStyles.chip}>
          {t("event.times", { count })}
          {lastTime !== undefined && ` · ${t("event.lastTime", { time: clockAt(lastTime, zone).time })}`}
        </span>
      )}
    </div>
  );
}

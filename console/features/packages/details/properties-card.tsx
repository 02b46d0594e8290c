import type { DependencyItem } from "@packhouse/contract/dependencies";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../ui/copy/copy-button.tsx";
import cardStyles from "../../../ui/display/card.module.css";
import { Card } from "../../../ui/display/card.tsx";
import textStyles from "../../../ui/styles/text.module.css";
import type { AnyPackageItem } from "../package-calls.ts";
import { DependencyChips, useDependencies } from "./dependencies.tsx";

/** Rows of the property table by technology; those of the second list are only shown if they have a value. */
const properties = {
  R: {
    always: ["systemRequirements", "depends", "imports", "suggests", "url", "md5sum", "encoding"],
    filled: ["enhances", "linkingTo", "priority", "built"],
  },
  Python: {
    always: ["platform", "projectUrl", "providesExtra", "requiresDist", "requiresExternal", "requiresPython", "hash"],
    filled: ["summary", "keywords", "homePage", "authorEmail", "maintainerEmail", "compatibilityTags"],
  },
} as const;
/** Fields that contain other packages, by their kind of dependency. */
const kinds: Record<string, DependencyItem["kind"]> = {
  depends: "depends",
  imports: "imports",
  suggests: "suggests",
  enhances: "enhances",
  linkingTo: "linkingTo",
  requiresDist: "requires",
};
const copied = new Set(["md5sum", "hash"]);

export function PropertiesCard({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const { always, filled } = properties[item.technology];
  const values: Record<string, unknown> = item;
  const { dependencies = [], shortened = [] } = useDependencies(item) ?? {};
  const names = [...always, ...filled.filter((name) => values[name])];
  return (
    <Card title={t("package.properties")}>
      <dl className={cardStyles.facts}>
        {names.map((name) => {
          const needed = dependencies.filter(({ kind }) => kind === kinds[name]);
          const value = typeof values[name] === "string" && values[name] !== "" ? values[name] : undefined;
          return [
            <dt key={`${name} name`}>{t(`package.${name}`)}</dt>,
            <dd
              key={`${name} value`}
              data-testid={`prop-${name}`}
              className={copied.has(name) ? textStyles.mono : undefined}
            >
              {needed.length > 0 ? (
                <DependencyChips of={needed} />
              ) : value ? (
                <Linked text={value} />
              ) : (
                <span className={textStyles.muted}>{t("package.notProvided")}</span>
              )}
              {value && copied.has(name) && (
                <CopyButton text={value} label={`${t("action.copy")} ${t(`package.${name}`)}`} />
              )}
            </dd>,
          ];
        })}
      </dl>
      {shortened.includes("dependencies") && <p className={textStyles.muted}>{t("dependency.shortened")}</p>}
    </Card>
  );
}

/** A text whose web addresses become links, but nothing else. */
function Linked({ text }: { text: string }) {
  const [before = "", address, ...after] = text.split(/((?:https?|ftps?):\/\/[^\s,<>"']+)/);
  if (address === undefined) return before;
  return (
    <>
      {before}
      <a href={address} target="_blank" rel="noreferrer noopener" style={{ color: "var(--ph-brand)" }}>
        {address}
      </a>
      <Linked text={after.join("")} />
    </>
  );
}

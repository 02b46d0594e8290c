import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Switch.layer.css";
import { Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { addTexts } from "../../language/i18n.ts";
import { reviewTexts } from "../../language/review/review-texts.ts";
import { shellTexts } from "../../language/shell/shell-texts.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { useShortcutsOn } from "../../ui/shortcuts.ts";
import textStyles from "../../ui/styles/text.module.css";

addTexts(reviewTexts);
addTexts(shellTexts);

/** All keyboard shortcuts, and the switch that turns them off. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [on, setOn] = useShortcutsOn();
  const groups: [title: string, keys: [keys: string, meaning: string][]][] = [
    [
      t("keys.everywhere"),
      [
        ["/", t("keys.search")],
        ["Ctrl K", t("keys.search")],
        ["g p", t("nav.packages")],
        ["g r", t("nav.repositories")],
        ["g s", t("nav.submissions")],
        ["g v", t("nav.review")],
        ["g e", t("nav.events")],
        ["g u", t("nav.upload")],
        ["?", t("keys.help")],
      ],
    ],
    [
      t("keys.lists"),
      [
        ["j  k", t("keys.rows")],
        ["x", t("keys.select")],
        ["Enter", t("keys.open")],
        ["[  ]", t("keys.pages")],
      ],
    ],
    [
      t("nav.submissions"),
      [
        ["a", t("action.accept")],
        ["r", t("action.reject")],
        ["c", t("action.cancel")],
        ["d", t("action.download")],
        ["z", t("action.undo")],
      ],
    ],
    [
      t("nav.review"),
      [
        ["j  k", t("review.keys.releases")],
        ["1  6", t("review.keys.tabs")],
        ["n  p", t("review.keys.files")],
        ["x", t("review.keys.seen")],
        ["c", t("review.comment")],
        ["y", t("review.keys.copy")],
        ["a", t("action.accept")],
        ["r", t("action.reject")],
        [".", t("review.askForChanges")],
        ["u", t("action.undo")],
        ["[", t("review.keys.fold")],
      ],
    ],
  ];
  return (
    <Dialog kind="keys" title={t("keys.title")} startOnClose onClose={onClose}>
      {groups.map(([title, keys]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl className={cardStyles.facts}>
            {keys.map(([key, meaning]) => [
              <dt key={`${key} key`}>
                {key.split(/ +/).map((one) => (
                  <span key={one}>
                    <kbd className={textStyles.key}>{one}</kbd>{" "}
                  </span>
                ))}
              </dt>,
              <dd key={`${key} meaning`}>{meaning}</dd>,
            ])}
          </dl>
        </section>
      ))}
      <Switch
        mt="md"
        label={t("keys.on")}
        checked={on}
        onChange={(event) => setOn(event.currentTarget.checked)}
        data-testid="keys-on"
      />
    </Dialog>
  );
}

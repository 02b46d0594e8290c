import "@mantine/core/styles/Switch.layer.css";
import { Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { useShortcutsOn } from "../../ui/shortcuts.ts";
import textStyles from "../../ui/styles/text.module.css";

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

import { failAlways } from "@packhouse/contract/operations/repositories";
import "@mantine/spotlight/styles.layer.css";
import "./palette.css";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { can } from "@packhouse/contract/abilities";
import { packageList } from "@packhouse/contract/packages";
import { repositoryList } from "@packhouse/contract/repositories";
import { submissionList } from "@packhouse/contract/submissions";
import { userList } from "@packhouse/contract/users";
import {
  type Icon,
  IconBug,
  IconClock,
  IconCloudUpload,
  IconFolderRoot,
  IconHelpCircle,
  IconLogout,
  IconMail,
  IconMoon,
  IconPackage,
  IconSearch,
  IconSun,
  IconUser,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call } from "../../api/client.ts";
import { configuration } from "../../api/configuration.ts";
import { reportFailure } from "../../calls/report-failure.tsx";
import { addTexts, formatNumber } from "../../language/i18n.ts";
import { shellTexts } from "../../language/shell/shell-texts.ts";
import { useOwnUser } from "../../session/use-session.ts";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { destinationsOf } from "../navigation/destinations.ts";
import { recentItems, storeRecentItem } from "./recent-items.ts";

addTexts(shellTexts);

const searchDelayMs = 150;
const mostOfAKind = 5;

/** An entry: a place to go to, or an action. */
interface Entry {
  key: string;
  label: string;
  hint: string;
  icon: Icon;
  run(): void;
}

interface PaletteProps {
  dark: boolean;
  onTheme(theme: "dark" | "light"): void;
  onSignOut(): void;
  onHelp(): void;
  onClose(): void;
}

/** One search for everything that a user may see and do; the arrow keys select, Enter opens. */
export function Palette({ dark, onTheme, onSignOut, onHelp, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const navigate = useNavigate();
  const router = useRouter();
  const [query, setQuery] = useState("");
  const [sought] = useDebouncedValue(query.trim(), searchDelayMs);
  useEffect(() => spotlight.open(), []);
  const { answers: found, busy, late } = useFound(sought, can(user.role, "GET users"));

  const place = (icon: Icon, label: string, hint: string, address: string): Entry => ({
    key: address,
    label,
    hint,
    icon,
    run: () => {
      storeRecentItem(user.id, { label, hint, address });
      void navigate({ href: address });
    },
  });
  const text = query.trim().toLowerCase();
  const matches = ({ label, hint }: Entry) => `${label} ${hint}`.toLowerCase().includes(text);
  const actions: Entry[] = [
    {
      key: "waiting",
      label: t("palette.waiting"),
      hint: "",
      icon: IconMail,
      run: () => void navigate({ to: "/submissions", search: { assignedToMe: "true" } }),
    },
    {
      key: "theme",
      label: dark ? t("palette.light") : t("palette.dark"),
      hint: "",
      icon: dark ? IconSun : IconMoon,
      run: () => onTheme(dark ? "light" : "dark"),
    },
    { key: "help", label: t("palette.keys"), hint: "?", icon: IconHelpCircle, run: onHelp },
    ...(configuration().developer
      ? [
          {
            key: "crash",
            label: t("palette.crash"),
            hint: "",
            icon: IconBug,
            run: () => void call(failAlways, {}).catch(reportFailure),
          },
        ]
      : []),
    { key: "sign-out", label: t("session.signOut"), hint: "", icon: IconLogout, run: onSignOut },
  ];
  const screens = destinationsOf(user.role).map((it) =>
    place(it.icon, t(it.label), "key" in it ? `g ${it.key}` : "", it.to),
  );
  const groups: [label: string, entries: Entry[]][] =
    query.trim() === ""
      ? [
          [t("palette.recent"), recentItems(user.id).map((it) => place(IconClock, it.label, it.hint, it.address))],
          [t("palette.screens"), screens],
          [t("palette.actions"), actions],
        ]
      : [
          [
            t("nav.packages"),
            found.packages.map((it) =>
              place(
                IconPackage,
                `${it.name} ${it.version}`,
                it.repository.name,
                router.buildLocation({
                  to: "/packages/$technology/$id",
                  params: { technology: it.technology, id: it.id },
                }).href,
              ),
            ),
          ],
          [
            t("nav.repositories"),
            found.repositories.map((it) =>
              place(
                IconFolderRoot,
                it.name,
                it.technology,
                router.buildLocation({
                  to: "/repositories/$technology/$id",
                  params: { technology: it.technology, id: it.id },
                }).href,
              ),
            ),
          ],
          [
            t("nav.submissions"),
            found.submissions.map((it) =>
              place(
                IconMail,
                `${it.packageBag.name} ${it.packageBag.version}`,
                `${t(`state.${it.state}`)} · ${it.packageBag.repository.name}`,
                router.buildLocation({
                  to: "/submissions",
                  search: { search: it.packageBag.name, open: String(it.id) },
                }).href,
              ),
            ),
          ],
          [
            t("nav.users"),
            found.users.map((it) =>
              place(
                IconUser,
                it.name,
                it.login,
                router.buildLocation({ to: "/users", search: { search: it.login, active: "any" } }).href,
              ),
            ),
          ],
          [
            t("palette.actions"),
            [
              ...found.repositories.map((it) =>
                place(
                  IconCloudUpload,
                  t("palette.uploadTo", { name: it.name }),
                  it.technology,
                  router.buildLocation({ to: "/upload-packages", search: { repository: it.name } }).href,
                ),
              ),
              ...[...screens, ...actions].filter(({ label }) => label.toLowerCase().includes(text)),
            ],
          ],
        ];
  // Results for an older text only stay if they match the new one: Enter must not open something else.
  const outdated = late || sought !== query.trim();
  const filled = groups
    .map(([label, entries]) => ({ label, entries: outdated ? entries.filter(matches) : entries }))
    .filter(({ entries }) => entries.length > 0);
  const count = filled.reduce((sum, { entries }) => sum + entries.length, 0);
  const listId = useId();
  const current = useCurrentEntry(listId);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      centered={false}
      yOffset="12vh"
      size={640}
      overlayProps={{ backgroundOpacity: 0.7, blur: 0 }}
      scrollable
      maxHeight={480}
      attributes={{ content: { "aria-label": t("palette.title") } }}
      data-testid="palette"
    >
      <Spotlight.Search
        placeholder={t("shell.search")}
        aria-label={t("shell.search")}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-activedescendant={current}
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={pressFirst}
        data-testid="palette-search"
      />
      <div className={visibilityStyles.hidden} role="status">
        {query.trim() !== "" && !busy && !outdated && t("list.results", { count, formatted: formatNumber(count) })}
      </div>
      <Spotlight.ActionsList id={listId} {...(count > 0 ? { role: "listbox", "aria-label": t("palette.title") } : {})}>
        {filled.map(({ label, entries }) => (
          <Spotlight.ActionsGroup key={label} label={label} role="group" aria-label={label}>
            {entries.map((entry) => (
              <Spotlight.Action
                key={entry.key}
                role="option"
                onClick={entry.run}
                label={entry.label}
                leftSection={<entry.icon size={18} stroke={1.75} aria-hidden />}
                rightSection={<span className={textStyles.muted}>{entry.hint}</span>}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {filled.length === 0 && (
          <Spotlight.Empty>{busy ? t("list.loading") : t("palette.nothing", { query })}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The id of the entry that Enter opens. Mantine marks it in the page only, and keeps the focus in the field. */
function useCurrentEntry(listId: string): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const list = document.getElementById(listId);
    if (!list) return;
    const mark = () => {
      const entries = [...list.querySelectorAll("[role=option]")];
      for (const [index, entry] of entries.entries()) entry.id = `${listId}-${index}`;
      setCurrent((entries.find((entry) => entry.hasAttribute("data-selected")) ?? entries[0])?.id);
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(list, { subtree: true, childList: true, attributeFilter: ["data-selected"] });
    return () => observer.disconnect();
  });
  return current;
}

/** Enter opens the first entry until the arrow keys have selected one. */
function pressFirst({ key }: KeyboardEvent): void {
  if (key !== "Enter" || document.querySelector(".mantine-Spotlight-action[data-selected]")) return;
  document.querySelector<HTMLElement>(".mantine-Spotlight-action")?.click();
}

/** The server's results, by kind. An older response never replaces a newer one. */
function useFound(sought: string, users: boolean) {
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["palette", sought, users],
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
    queryFn: async ({ signal }) => {
      const query = { search: sought, size: String(mostOfAKind) };
      const live = { ...query, deleted: "false", sort: "name,asc" } as const;
      const accepted = new URLSearchParams({ ...live, submissionState: "ACCEPTED" });
      accepted.append("sort", "version,desc");
      const [packages, repositories, submissions, people] = await Promise.all([
        api.list(packageList, accepted, signal),
        api.list(repositoryList, live, signal),
        api.list(submissionList, { ...query, sort: "created,desc" }, signal),
        users ? api.list(userList, live, signal) : undefined,
      ]);
      return {
        packages: packages.content,
        repositories: repositories.content,
        submissions: submissions.content,
        users: people?.content ?? [],
      };
    },
  });
  const none = { packages: [], repositories: [], submissions: [], users: [] };
  return { answers: sought === "" ? none : (data ?? none), busy: isFetching, late: isPlaceholderData };
}

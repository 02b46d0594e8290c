import { useComputedColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ApiFailure } from "../../../api/failure.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import styles from "./foreign-page.module.css";

interface ForeignPageProps {
  /** What it is: `vignette` or `manual`. */
  kind: string;
  title: string;
  /** Where the API has it. */
  path: string;
  /** It is light or dark as it is told; other pages are made for white. */
  inTheme?: boolean;
}

/** What a package says on a page of its own, over that of the package; the address names it while it is open. */
export function ForeignPage({ kind, title, path, inTheme = false }: ForeignPageProps) {
  const navigate = useNavigate();
  return (
    <Dialog
      kind={kind}
      title={title}
      size="min(1100px, 94vw)"
      onClose={() => void navigate({ to: ".", search: {} as never, resetScroll: false })}
    >
      <Page path={path} title={title} inTheme={inTheme} />
    </Dialog>
  );
}

/** Without scripts, and without the origin that holds the session. */
function Page({ path, title, inTheme }: Omit<Required<ForeignPageProps>, "kind">) {
  const { t } = useTranslation();
  const theme = useComputedColorScheme();
  const { data, error } = useQuery({
    queryKey: ["foreign-page", path],
    queryFn: async () => (await api.download(path)).text(),
    meta: { shownInPlace: true },
  });
  if (error instanceof ApiFailure && error.status === 404)
    return <p className={textStyles.muted}>{t("code.error.manual.not.found")}</p>;
  if (error) return <p className={textStyles.muted}>{t("message.notLoaded")}</p>;
  if (data === undefined) return <span className={loadingStyles.skeleton} data-page />;
  return (
    <iframe
      className={styles.page}
      data-in-theme={inTheme || undefined}
      sandbox=""
      srcDoc={framed(data, inTheme ? theme : undefined)}
      title={title}
    />
  );
}

/** In a frame without an address of its own, `#part` would mean a part of the page around it. */
function framed(text: string, colorScheme: string | undefined): string {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const link of page.querySelectorAll('a[href^="#"]'))
    link.setAttribute("href", `about:srcdoc${link.getAttribute("href")}`);
  if (colorScheme) page.documentElement.style.colorScheme = colorScheme;
  return `<!DOCTYPE html>${page.documentElement.outerHTML}`;
}

import { useComputedColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../../../api/failure.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import styles from "./foreign-page.module.css";

interface ForeignPageProps {
  /** Its kind: `vignette` or `manual`. */
  kind: string;
  title: string;
  /** Identifies it among other pages. */
  cacheKey: readonly (string | number)[];
  load(): Promise<Blob>;
  /** Follows the console's color scheme; other pages are designed for white. */
  inTheme?: boolean;
}

/** A page from inside a package, as an overlay on the package's page; the address contains it while it is open. */
export function ForeignPage({ kind, title, cacheKey, load, inTheme = false }: ForeignPageProps) {
  const navigate = useNavigate({ from: "/packages/$technology/$id" });
  return (
    <Dialog
      kind={kind}
      title={title}
      size="min(1100px, 94vw)"
      startOnClose
      onClose={() => void navigate({ search: {}, resetScroll: false })}
    >
      <Page cacheKey={cacheKey} load={load} title={title} inTheme={inTheme} />
    </Dialog>
  );
}

/** Without scripts, and without access to the origin that holds the session. */
function Page({ cacheKey, load, title, inTheme }: Omit<Required<ForeignPageProps>, "kind">) {
  const { t } = useTranslation();
  const theme = useComputedColorScheme();
  const { data, error } = useQuery({
    queryKey: ["foreign-page", ...cacheKey],
    queryFn: async () => (await load()).text(),
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

/** In a frame without its own address, `#part` would refer to the surrounding page. */
function framed(text: string, colorScheme: string | undefined): string {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const link of page.querySelectorAll('a[href^="#"]'))
    link.setAttribute("href", `about:srcdoc${link.getAttribute("href")}`);
  if (colorScheme) page.documentElement.style.colorScheme = colorScheme;
  return `<!DOCTYPE html>${page.documentElement.outerHTML}`;
}

import "../display/card-texts.ts";
import { useTranslation } from "react-i18next";
import buttonStyles from "../styles/button.module.css";
import styles from "./prose.module.css";
import type { Readme } from "./readme.ts";

interface ProseProps {
  text: string;
  /** Rendered and sanitized; the plain text is shown until then. */
  readme: Readme | undefined;
  format: "markdown" | "rst";
  testId: string;
}

/** Texts with fewer headings need no table of contents. */
const fewestHeadings = 4;

export function Prose({ text, readme, format, testId }: ProseProps) {
  const { t } = useTranslation();
  if (!readme)
    return (
      <div className={`${styles.prose} ${styles.plain}`} data-format={format} data-testid={testId}>
        {text}
      </div>
    );
  return (
    <>
      {readme.headings.length >= fewestHeadings && (
        <details className={styles.contents}>
          <summary>{t("package.contents")}</summary>
          <ul>
            {readme.headings.map(({ id, text, level }) => (
              <li key={id} style={{ marginLeft: (level - 3) * 14 }}>
                <button
                  type="button"
                  className={buttonStyles.linkButton}
                  onClick={() => document.getElementById(id)?.scrollIntoView()}
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div
        className={styles.prose}
        data-format={format}
        data-testid={testId}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: readme.ts sanitizes
        dangerouslySetInnerHTML={{ __html: readme.html }}
      />
    </>
  );
}

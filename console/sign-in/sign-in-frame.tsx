import { useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { configuration } from "../api/configuration.ts";
import { LogoPicture } from "../layout/logo.tsx";
import { TopBar } from "../layout/top-bar.tsx";
import cardStyles from "../ui/display/card.module.css";
import styles from "./login-screen.module.css";

interface SignInFrameProps {
  testId: string;
  lead: string;
  children: ReactNode;
}

/** The card of the pages that need no session. */
export function SignInFrame({ testId, lead, children }: SignInFrameProps) {
  const { setColorScheme } = useMantineColorScheme();
  const { largeLogo, title } = configuration();
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className={styles.screen} data-testid={testId}>
        <div className={`${cardStyles.card} ${styles.card}`}>
          <div className={styles.head}>
            <LogoPicture logo={largeLogo} markSize={56} />
            <h1>{title}</h1>
            <span className={styles.lead}>{lead}</span>
          </div>
          {children}
        </div>
      </main>
    </>
  );
}

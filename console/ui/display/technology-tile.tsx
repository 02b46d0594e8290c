import type { Technology } from "@packhouse/contract/technology";
import visibilityStyles from "../styles/visibility.module.css";
import styles from "./technology-tile.module.css";

/** R is a disc, Python a square; filled if active, hollow if not. Its text is the technology's whole name. */
export function TechnologyTile({ technology, hollow = false }: { technology: Technology; hollow?: boolean }) {
  return (
    <>
      <span
        className={styles.tile}
        aria-hidden
        data-technology={technology}
        data-short={technology.slice(0, 2)}
        data-hollow={hollow}
      />
      <span className={visibilityStyles.hidden}>{technology}</span>
    </>
  );
}

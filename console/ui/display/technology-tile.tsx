import type { Technology } from "@packhouse/contract/technology";
import visibilityStyles from "../styles/visibility.module.css";
import styles from "./technology-tile.module.css";

/** R is a disc, Python a square; filled if active, hollow if not. Its text is the technology's name. */
export function TechnologyTile({ technology, hollow = false }: { technology: Technology; hollow?: boolean }) {
  return (
    <span className={styles.tile} data-technology={technology} data-hollow={hollow}>
      <span>
        {technology.slice(0, 2)}
        <span className={visibilityStyles.hidden}>{technology.slice(2)}</span>
      </span>
    </span>
  );
}

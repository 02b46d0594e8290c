import styles from "./avatar.module.css";

const colors = [
  "#4b5d23",
  "#2f5d7c",
  "#6b3d52",
  "#7a4d12",
  "#5a4a2a",
  "#35606e",
  "#2e6650",
  "#4e5b5c",
  "#34507e",
  "#8a3b2f",
  "#54632f",
];

/** Up to two initials on a color derived from the name. */
export function Avatar({ name }: { name: string }) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? "").join("");
  const hash = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7);
  return (
    <span
      className={styles.avatar}
      style={{ background: name ? colors[hash % colors.length] : "var(--ph-edge)" }}
      aria-hidden
    >
      {initials.toUpperCase()}
    </span>
  );
}

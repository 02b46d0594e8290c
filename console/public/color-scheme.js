// Sets the color scheme before the first paint; the stored one, otherwise dark.
let stored;
try {
  stored = localStorage.getItem("packhouse.theme");
} catch {
  // The browser blocks storage for this site.
}
document.documentElement.setAttribute("data-mantine-color-scheme", stored === "light" ? "light" : "dark");

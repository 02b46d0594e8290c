// Sets the color scheme before the first paint; the stored one, otherwise dark.
document.documentElement.setAttribute(
  "data-mantine-color-scheme",
  localStorage.getItem("packhouse.theme") === "light" ? "light" : "dark",
);

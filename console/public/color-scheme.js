// Sets the colour scheme before the first paint; the stored one, else dark.
document.documentElement.setAttribute(
  "data-mantine-color-scheme",
  localStorage.getItem("packhouse.theme") === "light" ? "light" : "dark",
);

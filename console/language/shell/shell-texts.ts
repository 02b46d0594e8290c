/** English texts of the search and of the list of keys, loaded when either is opened. */
export const shellTexts = {
  palette: {
    title: "Search",
    recent: "Recently opened",
    screens: "Screens",
    actions: "Actions",
    waiting: "Go to submissions waiting for me",
    light: "Switch to the light theme",
    dark: "Switch to the dark theme",
    keys: "Show keyboard shortcuts",
    uploadTo: "Upload to {{name}}",
    nothing: "No results for “{{query}}”",
    crash: "Cause an internal server error",
  },
  keys: {
    title: "Keyboard shortcuts",
    everywhere: "Everywhere",
    lists: "In lists",
    search: "search",
    help: "this list",
    rows: "next row, previous row",
    select: "select the row",
    open: "open the row",
    pages: "previous page, next page",
    on: "Use keyboard shortcuts",
  },
};

export type ShellTexts = typeof shellTexts;

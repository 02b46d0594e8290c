/** English texts about times, loaded after the first paint. */
export const timeTexts = {
  time: {
    zone: "Days and times in {{zone}}",
  },
};

export type TimeTexts = typeof timeTexts;

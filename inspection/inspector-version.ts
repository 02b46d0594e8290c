/** To be raised with every change of what an inspection contains: what an earlier number made is made again. */
export const inspectorVersion = 8;

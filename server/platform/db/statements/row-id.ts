const largestId = 2_147_483_647;

/** Whether a row can have this id; the database would fail to compare others. */
export const isRowId = (id: number): boolean => id > 0 && id <= largestId;

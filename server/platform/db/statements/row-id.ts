const largestId = 2_147_483_647;

/** Whether a row can have this id; comparing others would fail in the database. */
export const isRowId = (id: number): boolean => id > 0 && id <= largestId;

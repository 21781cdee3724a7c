/** A stamp of ISO 8601 without the zeros at the end of its fraction. */
export const shortStamp = (stamp: string): string => stamp.replace(/\.?0+Z$/, "Z");

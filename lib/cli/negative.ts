export async function negativeVerb(): Promise<number> { return 3; }

export async function verifyVerb(): Promise<number> { return 3; }

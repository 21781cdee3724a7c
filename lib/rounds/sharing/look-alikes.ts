import type { RoundRows } from "./masked-view.ts";

/** Most names that a page is told; beyond that it marks every name that is not plain. */
const MOST_TOLD = 500;
/** Names looked at in one turn of the event loop. */
const AT_ONCE = 2000;

/**
 * Letters that fonts draw as one of ASCII, each before its model: of the scripts that strangers borrow from, and only what
 * is drawn the same, not what is merely similar. Letters of ASCII themselves (l and 1) are told apart by the font of names.
 */
const BORROWED = [
  // Cyrillic
  "АAВBЕEЗ3ІIЈJКKМMНHОOРPЅSСCТTУYХXԌGԚQԜWӀI",
  "аaԁdеeһhіiјjоoрpԛqѕsсcуyхxԝwѵvӏl",
  // Greek
  "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJϺM",
  "αaοoνvρpιiϲcϳj",
  // Armenian, Cherokee, Latin beyond ASCII
  "ՍUՕOօoսuոnհhցgզqԼLᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZ",
  "ɑaɡgıiⅼlǀlꓲI",
];
const MODELS = new Map(
  BORROWED.flatMap((pairs) => {
    const letters = [...pairs];
    return letters.flatMap((letter, at) => (at % 2 === 0 ? [[letter, letters[at + 1]!] as const] : []));
  }),
);

/** A name of ASCII whose blanks all show: nothing but itself looks like it that is plain too. */
const PLAIN = /^[!-~]+( [!-~]+)*$/;

/**
 * What is drawn of a name: equal for names that look alike, whatever their code points. Composed or not, of another width
 * or style, with letters of other scripts, with marks that are not drawn, or with blanks that a page draws as one.
 * Characters that the console writes out (⟨U+200B⟩) stay, since they are seen.
 */
function drawn(name: string): string {
  if (PLAIN.test(name)) return name;
  const plain = name.normalize("NFKD").replace(/[\p{Default_Ignorable_Code_Point}&&\p{Mn}]/gv, "");
  return [...plain]
    .map((character) => MODELS.get(character) ?? character)
    .join("")
    .replace(/ +/g, " ")
    .trim();
}

/** Lets others have their turn between pieces of a long list. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Those of some different names that are drawn like another of them, in their order. Takes time that grows with their number. */
export async function lookAlikes(names: readonly string[]): Promise<string[]> {
  const times = new Map<string, number>();
  const looks: string[] = [];
  for (let at = 0; at < names.length; at += 1) {
    const look = drawn(names[at]!);
    looks.push(look);
    times.set(look, (times.get(look) ?? 0) + 1);
    if (at % AT_ONCE === AT_ONCE - 1) await breathe();
  }
  return names.filter((_, at) => times.get(looks[at]!)! > 1);
}

const found = new WeakMap<RoundRows, Promise<string[] | null>>();

async function find(rows: RoundRows): Promise<string[] | null> {
  // Two plain names never look alike: mostly nothing more is to be asked.
  if (!(await rows.hasOddNames())) return [];
  const alike = await lookAlikes(await rows.tenantNames());
  return alike.length > MOST_TOLD ? null : alike;
}

/**
 * Tenants of a round that are drawn like another tenant of it; null where these are too many to be told, or could not be
 * found. Worked out once a view.
 */
export function alikeTenants(rows: RoundRows): Promise<string[] | null> {
  const known = found.get(rows);
  if (known !== undefined) return known;
  const finding = find(rows).catch((error: unknown) => {
    console.error(error);
    found.delete(rows);
    return null;
  });
  found.set(rows, finding);
  return finding;
}

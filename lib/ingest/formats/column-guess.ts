import type { ArrivalMapping, TenantMapping } from "../../../contract/mapping.ts";
import type { FormatDefaults } from "./format.ts";
import { hasZone, writtenForm } from "./stamp-unit.ts";

/** Names that columns of unknown logs often have, without case and punctuation; the likelier first. */
const TIMES = [
  "time",
  "timestamp",
  "ts",
  "datetime",
  "date",
  "starttime",
  "requesttime",
  "timeiso8601",
  "timelocal",
  "arrival",
  "at",
];
const TENANTS = [
  "tenant",
  "tenantid",
  "customer",
  "account",
  "accountid",
  "org",
  "project",
  "user",
  "userid",
  "username",
];
const KEYS = ["apikey", "key", "token"];
const ADDRESSES = [
  "clientip",
  "remoteaddr",
  "remoteip",
  "ip",
  "address",
  "sourceip",
  "clientaddress",
  "client",
];

const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** The field whose name, or its last part, is the first on the list. */
function fieldLike(fields: readonly string[], names: readonly string[]): string | null {
  for (const name of names) {
    const found = fields.find(
      (field) => plain(field) === name || plain(field.slice(field.lastIndexOf(".") + 1)) === name,
    );
    if (found !== undefined) return found;
  }
  return null;
}

function tenantGuess(fields: readonly string[]): TenantMapping | null {
  const tenant = fieldLike(fields, TENANTS);
  if (tenant !== null) return { by: "field", field: tenant };
  const key = fieldLike(fields, KEYS);
  if (key !== null) return { by: "key", field: key };
  const address = fieldLike(fields, ADDRESSES);
  return address === null ? null : { by: "address", field: address };
}

/** Only a stamp whose form leaves no doubt: the unit of a number must be stated. */
function arrivalGuess(
  fields: readonly string[],
  example: (field: string) => string | null,
): ArrivalMapping | null {
  const field = fieldLike(fields, TIMES);
  const stamp = field === null ? null : example(field);
  const unit = stamp === null ? null : writtenForm(stamp);
  return field === null || unit === null || !hasZone(stamp!) ? null : { field, unit };
}

/** What columns of an unknown log are proposed for; people see it and can choose otherwise. */
export function guessColumns(
  fields: readonly string[],
  example: (field: string) => string | null,
): FormatDefaults {
  return { tenant: tenantGuess(fields), arrival: arrivalGuess(fields, example) };
}

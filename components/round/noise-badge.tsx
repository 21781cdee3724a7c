import { Badge } from "@mantine/core";

/** Classes a mismatch as what binary floating point makes of the exact value (§2); it stays a mismatch (§5.3). */
export function NoiseBadge({ why }: { why: string }) {
  return (
    <Badge variant="outline" color="gray" radius="sm" tt="none" size="sm" c="inherit" title={why}>
      binary floating point noise
    </Badge>
  );
}

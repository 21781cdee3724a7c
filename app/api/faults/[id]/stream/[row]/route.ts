import { faultStudies } from "../../../../../../lib/rounds/shared-service.ts";

/** The smallest stream that shows a fault, as a file. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string; row: string }> }) {
  const { id, row } = await params;
  const file = await (await faultStudies()).smallest(id, row);
  if (file === null) return Response.json({ error: "There is no such stream." }, { status: 404 });
  return new Response(file.text, {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      // A row's id is a known one: letters and hyphens.
      "Content-Disposition": `attachment; filename="${file.name}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

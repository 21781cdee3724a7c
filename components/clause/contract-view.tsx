import Markdown from "react-markdown";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";

const HEADING = /^(##+) ((?:§[\d.]+|G\d+) .*)$/gm;

/** Headings of a contract in order, with their anchors. */
function headings(text: string): { id: string; title: string; isInner: boolean }[] {
  return [...text.matchAll(HEADING)].map(([, marks, title]) => {
    const number = title!.slice(0, title!.indexOf(" "));
    return {
      id: number.startsWith("§") ? `s${number.slice(1)}` : number.toLowerCase(),
      title: title!,
      isInner: marks!.length > 2,
    };
  });
}

/** Both contracts with an anchor at each clause. The texts are the project's own, so their anchors pass as they are. */
export function ContractView({ throttle, gate }: { throttle: string; gate: string }) {
  return (
    <div className="contract">
      <nav aria-label="Clauses" className="no-print">
        {[throttle, gate].map((text) => (
          <ul key={text.slice(0, 40)}>
            {headings(text).map(({ id, title, isInner }) => (
              <li key={id} data-inner={isInner || undefined}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div>
        {[throttle, gate].map((text) => (
          <article key={text.slice(0, 40)}>
            <Markdown
              remarkPlugins={[remarkGfm]}
              rehypePlugins={[rehypeRaw]}
              components={{
                table: ({ children }) => (
                  // A group, not a region: there are many, and none is a landmark.
                  <div className="scroll-region" tabIndex={0} role="group" aria-label="Table">
                    <table>{children}</table>
                  </div>
                ),
              }}
            >
              {text}
            </Markdown>
          </article>
        ))}
      </div>
    </div>
  );
}

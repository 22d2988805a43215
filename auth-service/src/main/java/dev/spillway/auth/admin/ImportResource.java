package dev.spillway.auth.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.spillway.auth.http.LargeBody;
import dev.spillway.auth.http.Problem;
import dev.spillway.auth.http.Utf8;
import dev.spillway.auth.users.UserDirectory;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * {@code POST /users/import}: existing bcrypt hashes, one JSON object a line, in any number. Lines
 * that are refused do not hold up the others; users that exist stay as they are, so an import that
 * broke off can simply be sent again.
 */
@Path("/users/import")
@RolesAllowed(FirstStart.ADMIN_GROUP)
@Tag(name = "users")
@SecurityRequirement(name = "token")
class ImportResource {
  private static final int MAX_LINE = 4096;
  private static final String NO_USER = "not the JSON object of a user";

  private final ObjectReader lines;
  private final ImportLines meaning;
  private final UserDirectory users;
  private final AdminAudit audit;
  private final AdminTokens admins;
  private final SecurityIdentity caller;

  ImportResource(
      ObjectMapper json,
      ImportLines meaning,
      UserDirectory users,
      AdminAudit audit,
      AdminTokens admins,
      SecurityIdentity caller) {
    this.lines = json.readerFor(ImportLine.class);
    this.meaning = meaning;
    this.users = users;
    this.audit = audit;
    this.admins = admins;
    this.caller = caller;
  }

  @POST
  @LargeBody
  @RunOnVirtualThread
  @Consumes("application/x-ndjson")
  @Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
  @Operation(
      summary = "Import users with bcrypt hashes",
      description =
          "Each line {\"login\",\"hash\"} and, if wanted, \"groups\", \"disabled\", and \"check\":"
              + " a password that must match the hash or the line is refused.")
  public ImportReport.Summary importAll(InputStream body, @Context RoutingContext http)
      throws IOException {
    ImportReport report = new ImportReport();
    ImportBatch batch = new ImportBatch(users, report, audit, () -> admins.isAdmin(caller));
    BoundedLines in = new BoundedLines(body, MAX_LINE);
    long number = 0;
    for (Optional<BoundedLines.Line> line = in.next(); line.isPresent(); line = in.next()) {
      number++;
      if (http.response().closed()) {
        break; // what is left in our buffers is checked for nobody
      }
      if (!line.get().blank()) {
        one(number, line.get(), batch, report, http);
      }
    }
    batch.flush();
    return report.summary();
  }

  private void one(
      long number,
      BoundedLines.Line line,
      ImportBatch batch,
      ImportReport report,
      RoutingContext http) {
    if (line.tooLong()) {
      report.refused(number, "over " + MAX_LINE + " bytes");
      return;
    }
    try {
      // Jackson reads overlong sequences and lone surrogates, which no other endpoint lets in.
      ImportLine read = Utf8.isValid(line.bytes()) ? lines.readValue(line.bytes()) : null;
      if (read == null) {
        report.refused(number, NO_USER);
        return;
      }
      switch (meaning.of(read, http)) {
        case ImportLines.Meaning.User(var user) -> batch.add(number, user);
        case ImportLines.Meaning.Refused(String reason) -> report.refused(number, reason);
      }
    } catch (JsonProcessingException e) {
      report.refused(number, NO_USER);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e); // an array does not fail to be read
    } finally {
      Arrays.fill(line.bytes(), (byte) 0);
    }
  }
}

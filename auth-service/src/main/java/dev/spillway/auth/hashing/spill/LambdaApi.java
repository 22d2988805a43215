package dev.spillway.auth.hashing.spill;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;

/** Lambda's Invoke API (2015-03-31), synchronous invocations only. */
@Path("/2015-03-31/functions")
interface LambdaApi {
  /** Set on a 200 when the function did not answer but failed. */
  String FUNCTION_ERROR = "X-Amz-Function-Error";

  /**
   * @param function name, {@code name:alias} or ARN
   */
  @POST
  @Path("/{function}/invocations")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  Uni<RestResponse<byte[]>> invoke(@PathParam("function") String function, byte[] event);
}
